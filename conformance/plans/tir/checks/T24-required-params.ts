import { defineTirCheck } from '../context.ts'
import { findEachRpcError } from '../find-each-rpc-error.ts'
import { metadataOf } from '../metadata-of.ts'
import { rpcRequest } from '../rpc-request.ts'
import { wireMetadata } from '../wire-metadata.ts'

export const check = defineTirCheck({
  id: 'T24',
  title: 'A missing parameter is answered with -32602',
  level: 'spec',
  expectation: 'refuse',
  rows: ['2.endpoints/tir.10', '2.endpoints/tir.11', '2.errors/tir.4'],
  description: 'All are required: a default in its place would go on a chain for ever.',
  sends: 'Both build methods without each of their parameters, one after the other.',
  decides: 'error.code -32602 for each of them.',
  async run({ tir, didRegistry, environment }) {
    const { did: taoDid, address: from } = didRegistry.createIdentity()
    const metadata = metadataOf({ did: taoDid, attributeId: '1'.repeat(64) }, environment)
    const { did, attributeId } = metadata
    const correct = {
      setAttributeMetadata: wireMetadata(metadata, from),
      setAttributeData: { from, did, attributeId: `0x${attributeId}`, attributeData: '0x61' },
    }
    const requests = Object.entries(correct).flatMap(([method, parameters]) =>
      Object.keys(parameters).map((missing) => {
        const { [missing]: _, ...rest } = parameters as Record<string, unknown>
        return [`no ${missing} of ${method}`, () => tir.post(rpcRequest(method, rest))] as const
      }),
    )
    const control = () => tir.post(rpcRequest('setAttributeMetadata', correct.setAttributeMetadata))
    return findEachRpcError(Object.fromEntries(requests), -32602, control)
  },
})
