import { requireJson } from '../../../kit/classify-answer.ts'
import { held, inconclusive } from '../../../kit/finding.ts'
import { jsonAsPremise } from '../../../kit/json-as-premise.ts'
import { defineDidRegistryCheck } from '../context.ts'

export const check = defineDidRegistryCheck({
  id: 'D69',
  title: 'Reading and building need no Authorization header, and ignore one',
  level: 'practice',
  expectation: 'accept',
  rows: ['2.authentication.1'],
  description:
    'Access control is the chain’s. Gateways and HTTP libraries add headers, which must not lock a client out.',
  sends: 'GET of the identifiers and a build, with an Authorization header of no meaning.',
  decides: 'HTTP 200 for both.',
  async run({ registry }) {
    const headers = { authorization: 'Bearer of-no-meaning' }
    const { did, address: from } = registry.createIdentity()
    const body = { did, alsoKnownAs: 'urn:oid:1.2.3', from }
    const list = (more?: typeof headers) => registry.get('identifiers', more)
    const build = (more?: typeof headers) => registry.post('contract/updateAlsoKnownAs', body, more)
    for (const [what, request] of Object.entries({ 'A list': list, 'A build': build })) {
      const premise = `${what} without an Authorization header`
      const due = await jsonAsPremise(what, request(), premise)
      if (Object.keys(due).length === 0) return inconclusive(`${what} was answered with nothing.`)
      requireJson(await request(headers), `${what} with an Authorization header`)
    }
    return held('An Authorization header makes no difference')
  },
})
