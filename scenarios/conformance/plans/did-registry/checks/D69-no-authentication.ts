import { requireAnswer } from '../../../classify-answer.ts'
import { held } from '../../../finding.ts'
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
    requireAnswer(await registry.get('identifiers', headers), 'A list with an Authorization header')
    const { did, address: from } = registry.createIdentity()
    const body = { did, alsoKnownAs: 'urn:oid:1.2.3', from }
    const built = await registry.post('contract/updateAlsoKnownAs', body, headers)
    requireAnswer(built, 'A build with an Authorization header')
    return held('An Authorization header makes no difference')
  },
})
