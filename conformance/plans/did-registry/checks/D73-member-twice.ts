import { findEachRefused } from '../../registries/find-each-refused.ts'
import { defineDidRegistryCheck } from '../context.ts'

export const check = defineDidRegistryCheck({
  id: 'D73',
  title: 'A member that stands twice in a body is refused',
  level: 'practice',
  expectation: 'refuse',
  clauses: ['RFC 8259, 4'],
  description:
    'Two readers read two different bodies: whoever checks a request before it reaches the registry sees another DID than the registry does.',
  sends: 'updateAlsoKnownAs with two members did.',
  decides: 'HTTP 400.',
  async run({ registry }) {
    const { did, address: from } = registry.createIdentity()
    const body = JSON.stringify({ did, alsoKnownAs: 'urn:oid:1.2.3', from })
    const other = registry.createIdentity().did
    const twice = `{"did":"${other}",${body.slice(1)}`
    const send = (text: string) => () => registry.post('contract/updateAlsoKnownAs', text)
    return findEachRefused(
      { 'two members did': send(twice) },
      { statuses: [400], control: send(body) },
    )
  },
})
