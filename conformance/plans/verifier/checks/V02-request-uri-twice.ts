import { requireAnswer } from '../../../kit/classify-answer.ts'
import { broken, held, inconclusive } from '../../../kit/finding.ts'
import { defineVerifierCheck } from '../define-verifier-check.ts'
import { readRequest, requestToAnswer } from '../read-request.ts'

export const check = defineVerifierCheck({
  id: 'V02',
  title: 'request_uri can be fetched twice, with the same request',
  level: 'practice',
  expectation: 'accept',
  description:
    'Networks lose answers, and link previews fetch addresses before the wallet does: a request that is there only once is lost then.',
  sends: 'The request is fetched twice from its request_uri.',
  decides: 'Both times it has to be there, with the same nonce, response_uri and client_id.',
  async run(context) {
    const first = await context.openRequest()
    if (!first.fetched) return inconclusive('The request has no request_uri.')
    requestToAnswer(first)
    const second = await readRequest(first, context)
    const verdictSource = 'the second answer at request_uri'
    if (second.fetched) requireAnswer(second.fetched, 'The request, fetched again,')
    for (const name of ['nonce', 'response_uri', 'client_id']) {
      const [expected, actual] = [first.parameters[name], second.parameters[name]]
      if (expected !== actual) {
        return broken(`${name} is another one when the request is fetched again.`, {
          verdictSource,
          expected,
          actual,
        })
      }
    }
    return held('The request was there twice, and the same.', { verdictSource })
  },
})
