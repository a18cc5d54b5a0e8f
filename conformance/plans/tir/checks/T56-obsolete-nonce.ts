import { expectEqual } from '#scenarios/harness/expectations.ts'
import { defineTirCheck } from '../context.ts'
import { findRpcError } from '../find-rpc-error.ts'
import { prepareSending } from '../prepare-sending.ts'
import { publish } from '../publish.ts'
import { rpcRequest } from '../rpc-request.ts'

export const check = defineTirCheck({
  id: 'T56',
  title: 'An obsolete nonce is refused',
  level: 'practice',
  expectation: 'refuse',
  rows: ['2.endpoints/tir.12'],
  description:
    'Another transaction of the account came first: the client has to build again, and must not wait for this one.',
  sends: 'A publication whose nonce another publication of the account has used meanwhile.',
  decides: 'error.code -32602, and the attribute is not published.',
  needs: ['accreditor'],
  async run(context) {
    const { tir } = context
    const { sending, metadata } = await prepareSending(context)
    await publish(context)
    const answer = await tir.post(rpcRequest('sendSignedTransaction', sending))
    const finding = findRpcError(answer, { what: 'An obsolete nonce', code: -32602 })
    const attribute = await tir.readAttribute(metadata.did, metadata.attributeId)
    expectEqual('the attribute', attribute, undefined)
    return finding
  },
})
