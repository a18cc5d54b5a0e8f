import { expectMatch } from '#scenarios/harness/expectations.ts'
import { createHttpBrowser } from '#scenarios/harness/http-browser.ts'
import { classifyStatus } from '../../../classify-answer.ts'
import { fetchOrNoAnswer } from '../../../fetch-or-no-answer.ts'
import { broken, held, inconclusive } from '../../../finding.ts'
import { defineDidRegistryCheck } from '../context.ts'

export const check = defineDidRegistryCheck({
  id: 'D74',
  title: 'The interactive documentation is at its place',
  level: 'spec',
  expectation: 'accept',
  rows: ['2.what-the-service-does.4'],
  description: 'It is where people who integrate the registry begin.',
  sends: 'GET /api in pre-production, GET /api/v1 in production.',
  decides: 'HTTP 200 with an HTML page, perhaps after redirections.',
  async run({ httpAs, baseUrl, environment }) {
    const path = environment === 'pre' ? '/api' : '/api/v1'
    const browser = createHttpBrowser([], {}, fetchOrNoAnswer(httpAs('developer').fetch))
    const { url, status, headers } = await browser.get(`${baseUrl}${path}`)
    const kind = classifyStatus(status)
    const told = `The interactive documentation: HTTP ${status} at ${url}`
    if (kind !== 'accepted' && kind !== 'refused') return inconclusive(told)
    if (status !== 200) return broken(told, { expected: 200, actual: status })
    expectMatch('content type', headers.get('content-type'), /^(text\/html|application\/xhtml)/)
    return held(`The interactive documentation is at ${path}`)
  },
})
