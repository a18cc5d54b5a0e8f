import { didPrefixes } from '#core/did/did-org.ts'
import { createFreshIdentity } from '../../registries/create-fresh-identity.ts'
import { findEachRefused } from '../../registries/find-each-refused.ts'
import { defineDidRegistryCheck } from '../context.ts'

export const check = defineDidRegistryCheck({
  id: 'D79',
  title: 'A body whose did is none of this registry is refused',
  level: 'spec',
  expectation: 'refuse',
  rows: ['2.errors/did-registry.4', '2.resources-and-their-fields/types-used-in-the-tir.3'],
  description:
    'A DID of the other environment that is written here resolves nowhere where others look for it.',
  sends: 'updateAlsoKnownAs for malformed DIDs, and for one of the other environment.',
  decides: 'HTTP 400 for each of them.',
  async run({ registry, environment }) {
    const { address: from } = registry.createIdentity()
    const other = createFreshIdentity(environment === 'pre' ? 'pro' : 'pre').did
    const send = (wrong: unknown) => () =>
      registry.post('contract/updateAlsoKnownAs', {
        did: wrong,
        alsoKnownAs: 'urn:oid:1.2.3',
        from,
      })
    return findEachRefused(
      {
        'a did:key': send('did:key:zQ3shokFTS3brHcDQrn82RUDfCZESWL1ZdCEJwekUDPQiYBme'),
        'a did without an identifier': send(didPrefixes[environment]),
        'a number as did': send(1),
        'a did of the other environment': send(other),
      },
      {
        statuses: [400],
        control: send(createFreshIdentity(environment).did),
      },
    )
  },
})
