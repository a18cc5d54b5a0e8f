import { defineTirCheck } from '../context.ts'
import { correctRequest } from '../correct-request.ts'
import { findEachRpcError } from '../find-each-rpc-error.ts'
import { rpcRequest } from '../rpc-request.ts'

export const check = defineTirCheck({
  id: 'T23',
  title: 'A method that is not there is answered with -32601',
  level: 'spec',
  expectation: 'refuse',
  rows: ['2.errors/tir.3', '2.endpoints/tir.8'],
  clauses: ['JSON-RPC 2.0, 5.1'],
  description: 'By the code a client finds its typing error.',
  sends: 'Methods with a typing error, in small letters, and with names that objects inherit.',
  decides: 'error.code -32601 for each of them.',
  async run(context) {
    const { tir } = context
    const names = ['setAttributeMetaData', 'setattributedata', 'constructor', '__proto__', '']
    const requests = names.map(
      (name) => [`the method “${name}”`, () => tir.post(rpcRequest(name, {}))] as const,
    )
    return findEachRpcError(Object.fromEntries(requests), -32601, correctRequest(context))
  },
})
