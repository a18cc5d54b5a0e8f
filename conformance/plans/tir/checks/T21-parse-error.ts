import { defineTirCheck } from '../context.ts'
import { correctRequest } from '../correct-request.ts'
import { findEachRpcError } from '../find-each-rpc-error.ts'
import { rpcRequest } from '../rpc-request.ts'

export const check = defineTirCheck({
  id: 'T21',
  title: 'A body that is no JSON is answered with -32700',
  level: 'spec',
  expectation: 'refuse',
  rows: ['2.errors/tir.1', '2.endpoints/tir.8'],
  clauses: ['JSON-RPC 2.0, 5.1'],
  description: 'By the code a client finds what it has cut.',
  sends: 'Half of a request, two requests in a row, and a text that is no JSON.',
  decides: 'error.code -32700 for each of them.',
  async run(context) {
    const { tir } = context
    const text = JSON.stringify(rpcRequest('setAttributeData', {}))
    return findEachRpcError(
      {
        'half of a JSON text': () => tir.post(text.slice(0, -3)),
        'two JSON texts in a row': () => tir.post(text + text),
        'single quotes': () => tir.post(text.replaceAll('"', "'")),
      },
      -32700,
      correctRequest(context),
    )
  },
})
