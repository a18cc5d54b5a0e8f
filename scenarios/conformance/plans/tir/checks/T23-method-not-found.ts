import { defineTirCheck } from '../context.ts'
import { correctRequest } from '../correct-request.ts'
import { findEachRpcError } from '../find-each-rpc-error.ts'
import { rpcRequest } from '../rpc-request.ts'

export const check = defineTirCheck({
  id: 'T23',
  title: 'A method that is not there is answered with -32601',
  level: 'practice',
  expectation: 'refuse',
  rows: ['2.endpoints/tir.8', '2.endpoints/tir.9'],
  clauses: ['JSON-RPC 2.0, 5.1'],
  description:
    'Section “Errors” of document 2 lists the code; by it a client finds its typing error.',
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
