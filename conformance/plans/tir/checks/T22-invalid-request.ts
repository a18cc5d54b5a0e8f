import { defineTirCheck } from '../context.ts'
import { correctRequest } from '../correct-request.ts'
import { findEachRpcError } from '../find-each-rpc-error.ts'

export const check = defineTirCheck({
  id: 'T22',
  title: 'What is no JSON-RPC 2.0 request is answered with -32600',
  level: 'spec',
  expectation: 'refuse',
  rows: ['2.endpoints/tir.6', '2.endpoints/tir.8', '2.errors/tir.2', '2.versioning.2'],
  clauses: ['JSON-RPC 2.0, 4'],
  description: 'A server that guesses what was meant writes things that nobody asked for.',
  sends: 'Requests without jsonrpc, of version 1.0, without method, with a number as method.',
  decides: 'error.code -32600 for each of them.',
  async run(context) {
    const { tir } = context
    const method = 'setAttributeData'
    const params: unknown[] = [{}]
    return findEachRpcError(
      {
        'no jsonrpc': () => tir.post({ id: 1, method, params }),
        'jsonrpc 1.0': () => tir.post({ jsonrpc: '1.0', id: 1, method, params }),
        'no method': () => tir.post({ jsonrpc: '2.0', id: 1, params }),
        'a number as method': () => tir.post({ jsonrpc: '2.0', id: 1, method: 1, params }),
        'a text in place of an object': () => tir.post('"setAttributeData"'),
      },
      -32600,
      correctRequest(context),
    )
  },
})
