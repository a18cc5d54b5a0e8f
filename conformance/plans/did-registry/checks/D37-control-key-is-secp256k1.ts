import { privateJwkFromHex } from '#core/crypto/create-private-jwk.ts'
import { findEachRefused } from '../../registries/find-each-refused.ts'
import { defineDidRegistryCheck } from '../context.ts'
import { jwkAsHex } from '../jwk-as-hex.ts'

export const check = defineDidRegistryCheck({
  id: 'D37',
  title: 'A control key of another publicKeyType than secp256k1 is refused',
  level: 'spec',
  expectation: 'refuse',
  rows: ['2.endpoints/did-registry.21', '2.endpoints/did-registry.27', '2.errors/did-registry.4'],
  description: 'Only a secp256k1 key has an account that can sign transactions.',
  sends: 'insertFirstDidDocument and insertDidDocument with publicKeyType JsonWebKey2020.',
  decides: 'HTTP 400.',
  async run({ registry }) {
    const identity = registry.createIdentity()
    const publicKeyType = 'JsonWebKey2020'
    const first = {
      ...registry.firstDocumentOf(identity, { publicKeyType }),
      from: identity.address,
    }
    const { alsoKnownAs, ...next } = first as Record<string, unknown>
    const { d, ...jwk } = privateJwkFromHex(identity.privateKey)
    const serialized = { ...first, publicKey: jwkAsHex(jwk) }
    return findEachRefused(
      {
        'JsonWebKey2020 for the first document': () =>
          registry.post('contract/insertFirstDidDocument', first),
        'JsonWebKey2020 and a JWK for the first document': () =>
          registry.post('contract/insertFirstDidDocument', serialized),
        'JsonWebKey2020 for a later document': () =>
          registry.post('contract/insertDidDocument', next),
      },
      {
        statuses: [400],
        control: () =>
          registry.post('contract/insertFirstDidDocument', {
            ...first,
            publicKeyType: 'secp256k1',
          }),
      },
    )
  },
})
