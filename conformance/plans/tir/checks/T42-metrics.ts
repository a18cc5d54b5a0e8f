import { expectMatch } from '#scenarios/harness/expectations.ts'
import { requireAnswer } from '../../../kit/classify-answer.ts'
import { held } from '../../../kit/finding.ts'
import { metricLine } from '../../../kit/metric-line.ts'
import { defineTirCheck } from '../context.ts'

export const check = defineTirCheck({
  id: 'T42',
  title: '/metrics gives metrics as text, without a key',
  level: 'spec',
  expectation: 'accept',
  rows: ['2.endpoints/tir.4', '2.authentication.3'],
  description: 'Whoever runs the registry collects them.',
  sends: 'GET /metrics without a key.',
  decides: 'HTTP 200 with a text that is not empty.',
  async run({ tir }) {
    const answer = requireAnswer(await tir.get('/metrics'), 'GET /metrics')
    expectMatch('content type', answer.contentType, /^(text\/|application\/openmetrics-text)/)
    expectMatch('the text', answer.text, metricLine)
    return held('/metrics gives metrics')
  },
})
