import { didPrefixes } from '#core/did/did-org.ts'
import { findEachRefused } from '../../registries/find-each-refused.ts'
import { defineDidRegistryCheck } from '../context.ts'
import { requireResolving } from '../require-resolving.ts'

export const check = defineDidRegistryCheck({
  id: 'D45',
  title: 'A malformed identifier is refused with 400 when it is resolved',
  level: 'spec',
  expectation: 'refuse',
  rows: ['2.errors/did-registry.8'],
  description: 'A client that gets a 404 for a typing error looks for a DID that can’t exist.',
  sends: 'GET of identifiers that are no DIDs of this registry.',
  decides: 'HTTP 400 for each of them.',
  async run({ registry, environment }) {
    await requireResolving(registry)
    const prefix = didPrefixes[environment]
    const wrong = {
      'no prefix': 'z1B7abc',
      'no identifier behind the prefix': prefix,
      'a blank in it': `${prefix}z1 B7`,
    }
    const requests = Object.entries(wrong).map(
      ([what, did]) =>
        [what, () => registry.get(`identifiers/${encodeURIComponent(did)}`)] as const,
    )
    return findEachRefused(Object.fromEntries(requests), { statuses: [400] })
  },
})
