import { requireJson } from '../../../kit/classify-answer.ts'
import { defineCheck } from '../../../kit/define-check.ts'
import { broken, held } from '../../../kit/finding.ts'
import type { IssuerContext } from '../issuer-context.ts'

export const check = defineCheck<IssuerContext>({
  id: 'I82',
  title: 'The issuer says that it is well',
  level: 'spec',
  expectation: 'accept',
  rows: ['1.endpoints/credential-issuer.1', '1.what-the-service-does.5'],
  description: 'Whoever watches over it, a load balancer or a person, asks nothing else.',
  sends: 'GET /health, without any authentication.',
  decides: 'The answer is 200 with status ok.',
  needs: ['portal'],
  async run(context) {
    const { status } = requireJson(await context.portal().get('/health'), 'GET /health')
    const verdictSource = 'status in the answer of /health'
    return status === 'ok'
      ? held('It is ok.', { verdictSource })
      : broken('The status is another text.', { expected: 'ok', actual: status, verdictSource })
  },
})
