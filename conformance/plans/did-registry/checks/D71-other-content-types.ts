import { findEachRefused } from '../../registries/find-each-refused.ts'
import { defineDidRegistryCheck } from '../context.ts'

export const check = defineDidRegistryCheck({
  id: 'D71',
  title: 'A body of another content type than JSON is refused',
  level: 'practice',
  expectation: 'refuse',
  clauses: ['RFC 9110, 15.5.16'],
  description:
    'A page of somebody else’s can make a browser post text/plain anywhere without asking; no API should act on it.',
  sends: 'A correct body of updateAlsoKnownAs as text/plain and as a form.',
  decides: 'HTTP 400, 406 or 415 for each of them.',
  async run({ registry }) {
    const { did, address: from } = registry.createIdentity()
    const body = JSON.stringify({ did, alsoKnownAs: 'urn:oid:1.2.3', from })
    const types = ['text/plain', 'application/x-www-form-urlencoded', 'application/xml']
    const requests = types.map(
      (type) =>
        [
          `content type ${type}`,
          () => registry.post('contract/updateAlsoKnownAs', body, { 'content-type': type }),
        ] as const,
    )
    return findEachRefused(Object.fromEntries(requests), {
      statuses: [400, 406, 415],
      control: () => registry.post('contract/updateAlsoKnownAs', body),
    })
  },
})
