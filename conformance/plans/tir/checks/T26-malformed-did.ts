import { didPrefixes } from '#core/did/did-org.ts'
import { createFreshIdentity } from '../../registries/create-fresh-identity.ts'
import { defineTirCheck } from '../context.ts'
import { findMetadataRefused } from '../find-metadata-refused.ts'

export const check = defineTirCheck({
  id: 'T26',
  title: 'A malformed DID, or one of the other environment, is answered with -32602',
  level: 'spec',
  expectation: 'refuse',
  rows: [
    '2.resources-and-their-fields/types-used-in-the-tir.3',
    '2.endpoints/tir.10',
    '2.errors/tir.4',
  ],
  description:
    'An accreditation under a DID of the other environment is found by nobody, and can’t be removed.',
  sends: 'setAttributeMetadata with such values as did and as taoDid.',
  decides: 'error.code -32602 for each of them.',
  run(context) {
    const { environment } = context
    const other = createFreshIdentity(environment === 'pre' ? 'pro' : 'pre').did
    const key = 'did:key:zQ3shokFTS3brHcDQrn82RUDfCZESWL1ZdCEJwekUDPQiYBme'
    return findMetadataRefused(context, {
      'a did:key as did': { did: key },
      'a did:key as taoDid': { taoDid: key },
      'a did without an identifier': { did: didPrefixes[environment] },
      'a taoDid without an identifier': { taoDid: didPrefixes[environment] },
      'a did of the other environment': { did: other },
      'a taoDid of the other environment': { taoDid: other },
      'a number as did': { did: 1 },
    })
  },
})
