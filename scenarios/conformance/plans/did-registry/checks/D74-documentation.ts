import { expectMatch } from '#scenarios/harness/expectations.ts'
import { requireAnswer } from '../../../classify-answer.ts'
import { held } from '../../../finding.ts'
import { defineDidRegistryCheck } from '../context.ts'

export const check = defineDidRegistryCheck({
  id: 'D74',
  title: 'The interactive documentation is at its place',
  level: 'spec',
  expectation: 'accept',
  rows: ['2.what-the-service-does.4'],
  description: 'It is where people who integrate the registry begin.',
  sends: 'GET /api in pre-production, GET /api/v1 in production.',
  decides: 'HTTP 200 with an HTML page, perhaps after a redirection to the path with a slash.',
  async run({ httpAs, baseUrl, environment }) {
    const path = environment === 'pre' ? '/api' : '/api/v1'
    const page = await httpAs('developer').request(`${baseUrl}${path}`)
    const isMoved = [301, 302, 307, 308].includes(page.status)
    const answer = isMoved ? await httpAs('developer').request(`${baseUrl}${path}/`) : page
    requireAnswer(answer, 'The interactive documentation')
    expectMatch('content type', answer.contentType, /^text\/html/)
    return held(`The interactive documentation is at ${path}`)
  },
})
