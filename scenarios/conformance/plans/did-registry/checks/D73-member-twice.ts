import { findRefusal } from '../../../classify-answer.ts'
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
    const answer = await registry.post('contract/updateAlsoKnownAs', twice)
    return findRefusal(answer, { what: 'A body with two members did', statuses: [400] })
  },
})
