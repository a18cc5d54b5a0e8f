import { expectMatch } from '#scenarios/harness/expectations.ts'
import { requireAnswer } from '../../../classify-answer.ts'
import { held } from '../../../finding.ts'
import { defineTirCheck } from '../context.ts'

export const check = defineTirCheck({
  id: 'T43',
  title: 'The interactive documentation is at /api-docs',
  level: 'spec',
  expectation: 'accept',
  rows: ['2.endpoints/tir.5', '2.what-the-service-does.4'],
  description: 'It is where people who integrate the registry begin.',
  sends: 'GET /api-docs without a key.',
  decides: 'HTTP 200 with an HTML page, perhaps after a redirection to the path with a slash.',
  async run({ tir }) {
    const page = await tir.get('/api-docs')
    const isMoved = [301, 302, 307, 308].includes(page.status)
    const answer = isMoved ? await tir.get('/api-docs/') : page
    requireAnswer(answer, 'The interactive documentation')
    expectMatch('content type', answer.contentType, /^text\/html/)
    return held('The interactive documentation is at /api-docs')
  },
})
