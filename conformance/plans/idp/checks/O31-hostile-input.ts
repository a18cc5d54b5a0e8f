import { broken, defineCheck, held, inconclusive } from '../../../kit/check.ts'
import { classifyStatus, jsonAsPremise } from '../../../kit/classify-answer.ts'
import type { IdpContext } from '../context.ts'
import { createHostileRequests } from '../create-hostile-requests.ts'

export const check = defineCheck<IdpContext>({
  id: 'O31',
  title: 'Nothing that a client can send gets a 5xx',
  level: 'practice',
  expectation: 'refuse',
  clauses: ['RFC 9110, 15.6'],
  description:
    'A 5xx for what a client sent is a place where the server did not look at what it got, and each is a way to fill its log.',
  sends:
    'Odd methods, bodies and parameters to every endpoint: broken JSON, NUL bytes, doubled parameters, very long values.',
  decides: 'No answer is a 5xx.',
  async run(context) {
    const http = context.httpAs('stranger')
    // What is not there, or out of order, has no faults to be found either.
    const keys = http.request(await context.endpoint('jwks_uri'))
    await jsonAsPremise('jwks_uri', keys, 'reading jwks_uri (see O15)')
    const faults: string[] = []
    const overloaded: string[] = []
    const requests = await createHostileRequests(context)
    for (const { url, ...request } of requests) {
      const { status, method } = await http.request(url, request)
      const told = `${method} ${url.slice(0, 120)} answered ${status}`
      const kind = classifyStatus(status)
      if (kind === 'overloaded' || kind === 'timed-out') overloaded.push(told)
      // 501 says that there is no such method, which is no fault.
      else if (kind === 'outage' && status !== 501) faults.push(told)
    }
    if (faults.length > 0) {
      const met = `${faults.length} of ${requests.length} requests met a 5xx.`
      return broken(met, { actual: faults })
    }
    return overloaded.length === 0
      ? held(`None of ${requests.length} requests was answered with a 5xx.`)
      : inconclusive(`${overloaded.length} requests met an overload: ${overloaded[0]}`)
  },
})
