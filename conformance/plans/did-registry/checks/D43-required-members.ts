import { findEachRefused } from '../../registries/find-each-refused.ts'
import { defineDidRegistryCheck } from '../context.ts'

export const check = defineDidRegistryCheck({
  id: 'D43',
  title: 'A body without a required member is refused with 400',
  level: 'spec',
  expectation: 'refuse',
  rows: [
    '2.errors/did-registry.4',
    '2.endpoints/did-registry.17',
    '2.endpoints/did-registry.19',
    '2.endpoints/did-registry.20',
    '2.endpoints/did-registry.22',
    '2.endpoints/did-registry.23',
    '2.endpoints/did-registry.24',
    '2.endpoints/did-registry.25',
    '2.endpoints/did-registry.26',
  ],
  description: 'A default in its place would go on a chain where nothing can be taken back.',
  sends: 'insertFirstDidDocument without each of its required members, one after the other.',
  decides: 'HTTP 400 for each of them.',
  async run({ registry }) {
    const identity = registry.createIdentity()
    const body = { ...registry.firstDocumentOf(identity), from: identity.address }
    const without = (member: string) => {
      const { [member]: _, ...rest } = body as Record<string, unknown>
      return () => registry.post('contract/insertFirstDidDocument', rest)
    }
    const requests = Object.keys(body).map((member) => [`no ${member}`, without(member)] as const)
    const control = () => registry.post('contract/insertFirstDidDocument', body)
    return findEachRefused(Object.fromEntries(requests), { statuses: [400], control })
  },
})
