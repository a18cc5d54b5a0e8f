import { randomBytes } from 'node:crypto'
import { defineTirCheck } from '../context.ts'
import { correctData } from '../correct-data.ts'
import { findEachRpcError } from '../find-each-rpc-error.ts'
import { rpcRequest } from '../rpc-request.ts'

export const check = defineTirCheck({
  id: 'T40',
  title: 'A request with a wrong API key is answered with -32600 and not carried out',
  level: 'spec',
  expectation: 'refuse',
  rows: ['2.authentication.2', '2.errors/tir.2'],
  description: 'A key that is only looked for, and not at, is none.',
  sends: 'A correct setAttributeData with another key and with a word, then with the right one.',
  decides: 'error.code -32600, and no result, each time but the last.',
  async run({ tir, didRegistry }) {
    const correct = correctData(didRegistry)
    const request = rpcRequest('setAttributeData', correct)
    const send = (key: string) => () => tir.post(request, { 'x-api-key': key })
    return findEachRpcError(
      {
        'another API key': send(randomBytes(24).toString('base64url')),
        'a word as API key': send('key'),
      },
      -32600,
      () => tir.post(request),
    )
  },
})
