import { defineTirCheck } from '../context.ts'
import { findEachRpcError } from '../find-each-rpc-error.ts'
import { metadataOf } from '../metadata-of.ts'
import { rpcRequest } from '../rpc-request.ts'
import { wireMetadata } from '../wire-metadata.ts'

export const check = defineTirCheck({
  id: 'T30',
  title: 'A revisionId that is not 0x and 64 hex characters is answered with -32602',
  level: 'spec',
  expectation: 'refuse',
  rows: ['2.limits.5', '2.endpoints/tir.10'],
  description: 'Padded or cut it is another attribute than the accreditation tells of.',
  sends: 'setAttributeMetadata with revisionIds that are too short, too long, without 0x, no hex.',
  decides: 'error.code -32602 for each of them.',
  async run({ tir, didRegistry, environment }) {
    const { did, address } = didRegistry.createIdentity()
    const metadata = metadataOf({ did, attributeId: '1'.repeat(64) }, environment)
    const correct = wireMetadata(metadata, address)
    const id = metadata.attributeId
    const wrong = {
      'a revisionId that is too short': `0x${id.slice(2)}`,
      'a revisionId that is too long': `0x${id}00`,
      'a revisionId without 0x': id,
      'a revisionId that is no hex': `0x${id.slice(1)}g`,
      'an empty revisionId': '0x',
    }
    const requests = Object.entries(wrong).map(([what, revisionId]) => {
      const parameters = { ...correct, revisionId }
      return [what, () => tir.post(rpcRequest('setAttributeMetadata', parameters))] as const
    })
    return findEachRpcError(Object.fromEntries(requests), -32602)
  },
})
