import {
  parseAuthorizationRequest,
  parseAuthorizationRequestUri,
} from '#core/oid4vp/authorization-request.ts'
import { requireAnswer } from '../../../kit/classify-answer.ts'
import { broken, held } from '../../../kit/finding.ts'
import { defineVerifierCheck } from '../define-verifier-check.ts'

const request = '1.resources-and-their-fields/presentation-authorization-request'

export const check = defineVerifierCheck({
  id: 'V01',
  title: 'The presentation request has the documented shape',
  level: 'spec',
  expectation: 'accept',
  rows: [1, 2, 3, 4, 5, 6, 7, 8].map((row) => `${request}.${row}`),
  description:
    'A wallet answers no request that it does not understand, and must not answer one that asks for something else than it says.',
  sends: 'A session is begun, and its request is fetched as a wallet does.',
  decides:
    'Every rule of the request has to hold, by value or by reference, signed or not. A redirect_uri beside direct_post, which OpenID4VP rules out, is a WARN.',
  async run({ openRequest }) {
    const { link, fetched, parameters } = await openRequest()
    const verdictSource = fetched ? 'the answer at request_uri' : 'the link'
    const delivery = parseAuthorizationRequestUri(link)
    if (!delivery.ok && URL.parse(link)?.searchParams.has('request_uri')) {
      return broken('The link is none of a request.', { failures: delivery.failures })
    }
    if (fetched) requireAnswer(fetched, 'The request at request_uri')
    const parsed = parseAuthorizationRequest(parameters)
    if (parsed.ok) return held('Every rule of the request holds.', { verdictSource })
    const rules = parsed.failures.map(({ rule, reason }) => `${rule}: ${reason}`).join('; ')
    const { failures } = parsed
    const isOfOpenId4Vp = failures.every(({ rule }) => rule === 'request.redirect-uri')
    return broken(`The request breaks ${rules}.`, {
      verdictSource,
      failures,
      actual: parameters,
      ...(isOfOpenId4Vp && { level: 'final' }),
    })
  },
})
