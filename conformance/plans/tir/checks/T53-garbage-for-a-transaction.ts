import { randomBytes } from 'node:crypto'
import { defineTirCheck } from '../context.ts'
import { findEachRpcError } from '../find-each-rpc-error.ts'
import { prepareSending } from '../prepare-sending.ts'
import { rpcRequest } from '../rpc-request.ts'

export const check = defineTirCheck({
  id: 'T53',
  title: 'A signedRawTransaction that can’t be read is refused',
  level: 'spec',
  expectation: 'refuse',
  rows: ['2.endpoints/tir.12', '2.endpoints/tir.15', '2.endpoints/tir.16'],
  description: 'A hash for what can never be mined lets a client wait for ever.',
  sends: 'sendSignedTransaction with a cut transaction, random bytes, nothing, and no hex.',
  decides: 'error.code -32602 for each of them.',
  needs: ['accreditor'],
  async run(context) {
    const { tir } = context
    const { sending } = await prepareSending(context)
    const send = (signedRawTransaction: unknown) => () =>
      tir.post(rpcRequest('sendSignedTransaction', { ...sending, signedRawTransaction }))
    return findEachRpcError(
      {
        'half a transaction': send(sending.signedRawTransaction.slice(0, 120)),
        'random bytes': send(`0x${randomBytes(120).toString('hex')}`),
        'nothing but 0x': send('0x'),
        'letters that are no hex': send('0xzz'),
        'no transaction': send(undefined),
      },
      -32602,
      send(sending.signedRawTransaction),
    )
  },
})
