import { didPrefixes } from '#core/did/did-org.ts'
import { createFreshIdentity } from '../../../registries/create-fresh-identity.ts'
import { defineTirCheck } from '../context.ts'
import { findEachRpcError } from '../find-each-rpc-error.ts'
import { metadataOf } from '../metadata-of.ts'
import { rpcRequest } from '../rpc-request.ts'
import { wireMetadata } from '../wire-metadata.ts'

export const check = defineTirCheck({
  id: 'T26',
  title: 'A malformed DID, or one of the other environment, is answered with -32602',
  level: 'spec',
  expectation: 'refuse',
  rows: ['2.resources-and-their-fields/types-used-in-the-tir.3', '2.endpoints/tir.10'],
  description:
    'An accreditation under a DID of the other environment is found by nobody, and can’t be removed.',
  sends: 'setAttributeMetadata with such values as did and as taoDid.',
  decides: 'error.code -32602 for each of them.',
  async run({ tir, didRegistry, environment }) {
    const { did, address } = didRegistry.createIdentity()
    const metadata = metadataOf({ did, attributeId: '1'.repeat(64) }, environment)
    const correct = wireMetadata(metadata, address)
    const other = createFreshIdentity(environment === 'pre' ? 'pro' : 'pre').did
    const wrong = {
      'a did:key': 'did:key:zQ3shokFTS3brHcDQrn82RUDfCZESWL1ZdCEJwekUDPQiYBme',
      'no identifier': didPrefixes[environment],
      'a DID of the other environment': other,
      'a number': 1,
    }
    const requests = Object.entries(wrong).flatMap(([what, value]) =>
      ['did', 'taoDid'].map((member) => {
        const parameters = { ...correct, [member]: value }
        const send = () => tir.post(rpcRequest('setAttributeMetadata', parameters))
        return [`${what} as ${member}`, send] as const
      }),
    )
    return findEachRpcError(Object.fromEntries(requests), -32602)
  },
})
