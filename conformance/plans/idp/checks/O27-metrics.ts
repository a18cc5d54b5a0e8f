import { expectTrue } from '#scenarios/harness/expectations.ts'
import { defineCheck, held } from '../../../kit/check.ts'
import { requireAnswer } from '../../../kit/classify-answer.ts'
import { metricLine } from '../../../kit/metric-line.ts'
import type { IdpContext } from '../context.ts'

export const check = defineCheck<IdpContext>({
  id: 'O27',
  title: 'GET /metrics is open and a text',
  level: 'spec',
  expectation: 'accept',
  rows: ['1.endpoints/credential-idp.2', '1.authentication.5'],
  description: 'Monitoring reads it without credentials.',
  sends: 'GET /metrics without any credentials.',
  decides: '200 with a text of metrics.',
  async run({ httpAs, baseUrl }) {
    const answer = await httpAs('operator').request(`${baseUrl}/metrics`)
    const { contentType, text } = requireAnswer(answer, 'GET /metrics')
    expectTrue(
      'the content type is a text',
      /^(text|application\/openmetrics)/.test(contentType),
      contentType,
    )
    expectTrue('it has metrics, one a line', metricLine.test(text))
    return held('Metrics are there as a text.')
  },
})
