import { requireJson } from '../../../kit/classify-answer.ts'
import { held } from '../../../kit/finding.ts'
import { defineDidRegistryCheck } from '../context.ts'

export const check = defineDidRegistryCheck({
  id: 'D50',
  title: 'A client that accepts anything gets a document',
  level: 'practice',
  expectation: 'accept',
  clauses: ['RFC 9110, 12.5.1'],
  description: 'Tools such as curl send Accept: */*; a 406 there stops whoever only wants to look.',
  sends: 'GET of a registered DID with Accept: */*.',
  decides: 'HTTP 200 with a JSON object.',
  needs: ['onboarding-node'],
  async run({ registry }) {
    const { did } = await registry.register()
    const answer = await registry.get(`identifiers/${encodeURIComponent(did)}`, { accept: '*/*' })
    requireJson(answer, 'GET with Accept: */*')
    return held('Accept: */* is served')
  },
})
