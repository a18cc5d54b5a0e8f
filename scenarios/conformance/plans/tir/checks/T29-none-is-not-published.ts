import { defineTirCheck } from '../context.ts'
import { findRpcError } from '../find-rpc-error.ts'
import { metadataOf } from '../metadata-of.ts'
import { rpcRequest } from '../rpc-request.ts'
import { wireMetadata } from '../wire-metadata.ts'

export const check = defineTirCheck({
  id: 'T29',
  title: 'issuerType NONE is not published',
  level: 'practice',
  expectation: 'refuse',
  rows: ['2.resources-and-their-fields/types-used-in-the-tir.4'],
  description:
    'It means no role and is not used in publications: it would be an attribute of nothing.',
  sends: 'setAttributeMetadata with issuerType NONE.',
  decides: 'error.code -32602.',
  async run({ tir, didRegistry, environment }) {
    const { did, address } = didRegistry.createIdentity()
    const metadata = metadataOf({ did, attributeId: '1'.repeat(64) }, environment)
    const parameters = { ...wireMetadata(metadata, address), issuerType: 'NONE' }
    const answer = await tir.post(rpcRequest('setAttributeMetadata', parameters))
    return findRpcError(answer, { what: 'issuerType NONE', code: -32602 })
  },
})
