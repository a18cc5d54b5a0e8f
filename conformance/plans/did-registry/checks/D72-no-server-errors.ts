import { didPrefixes } from '#core/did/did-org.ts'
import { findNoServerError } from '../../registries/find-no-server-error.ts'
import { hostileBodies } from '../../registries/hostile-bodies.ts'
import { defineDidRegistryCheck } from '../context.ts'
import { requireResolving } from '../require-resolving.ts'

export const check = defineDidRegistryCheck({
  id: 'D72',
  title: 'Nothing that a client can send is answered with a 5xx',
  level: 'spec',
  expectation: 'refuse',
  rows: ['2.errors/did-registry.4', '2.errors/did-registry.7'],
  description:
    '500 is for faults of the API and the network. A client’s mistake that ends in one hides what is wrong, and shows attackers where to look.',
  sends: 'Hostile bodies to three endpoints, and odd paths and queries.',
  decides: 'None of the answers is a 5xx.',
  async run({ registry, environment }) {
    await requireResolving(registry)
    const did = `${didPrefixes[environment]}z1B7`
    const posts = Object.entries(hostileBodies).flatMap(([what, body]) =>
      [
        'contract/insertFirstDidDocument',
        'contract/addVerificationMethod',
        'transactions/send',
      ].map((path) => [`${what} to ${path}`, () => registry.post(path, body)] as const),
    )
    const paths = [
      `identifiers/${did}?valid-at=-1`,
      `identifiers/${did}?valid-at=1e400`,
      `identifiers/${did}?valid-at=1&valid-at=2`,
      'identifiers/%00',
      'identifiers/%ff',
      `identifiers/${'a'.repeat(4000)}`,
      'identifiers?page=99999999999999999999999&pageSize=99999999999999999999999',
      'identifiers?page[]=1&page[x]=2',
    ]
    const gets = paths.map((path) => [path.slice(0, 80), () => registry.get(path)] as const)
    return findNoServerError(Object.fromEntries([...posts, ...gets]))
  },
})
