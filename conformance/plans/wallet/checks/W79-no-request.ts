import type { Finding } from '../../../kit/check.ts'
import { defineCheck } from '../../../kit/check.ts'
import type { WalletContext } from '../context.ts'
import { findRequestRefused } from '../findings/find-request-refused.ts'
import { firstNotHeld } from '../findings/first-not-held.ts'

export const check = defineCheck<WalletContext>({
  id: 'W79',
  title: 'Without a usable request nothing is presented',
  level: 'practice',
  expectation: 'refuse',
  control: 'requests',
  description:
    'A page, an error or nothing at request_uri: there is nothing that a holder could agree to.',
  sends: 'Two links whose request_uri answers 404 and an HTML page.',
  decides:
    'Nothing is posted to response_uri until the verb ends, and the wallet says that it refuses.',
  async run(context) {
    const findings: Finding[] = []
    for (const [name, answer] of Object.entries(answers)) {
      findings.push(
        await findRequestRefused(context, {
          behaviour: { answers: { request: () => answer } },
          why: `the request is ${name}`,
        }),
      )
    }
    return firstNotHeld(findings)
  },
})

const answers = {
  'not there (404)': { status: 404, body: '{"error":"not_found"}' },
  'an HTML page': { status: 200, contentType: 'text/html', body: '<h1>It works!</h1>' },
}
