import { defineTirCheck } from '../context.ts'
import { correctData } from '../correct-data.ts'
import { findEachRpcError } from '../find-each-rpc-error.ts'
import { rpcRequest } from '../rpc-request.ts'

export const check = defineTirCheck({
  id: 'T39',
  title: 'A request without API key is answered with -32600 and not carried out',
  level: 'spec',
  expectation: 'refuse',
  rows: ['2.authentication.2', '2.endpoints/tir.1', '2.errors/tir.2'],
  description: 'Otherwise anybody uses the registry’s way to the chain.',
  sends: 'A correct setAttributeData with and without x-api-key.',
  decides: 'error.code -32600, and no result.',
  async run({ tir, didRegistry }) {
    const correct = correctData(didRegistry)
    const request = rpcRequest('setAttributeData', correct)
    return findEachRpcError(
      { 'no API key': () => tir.post(request, { 'x-api-key': '' }) },
      -32600,
      () => tir.post(request),
    )
  },
})
