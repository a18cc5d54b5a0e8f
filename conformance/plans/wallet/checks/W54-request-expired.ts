import { defineCheck } from '../../../kit/check.ts'
import type { WalletContext } from '../context.ts'
import { findRequestRefused } from '../findings/find-request-refused.ts'

export const check = defineCheck<WalletContext>({
  id: 'W54',
  title: 'An expired request is not answered',
  level: 'final',
  expectation: 'refuse',
  control: 'requests',
  clauses: ['RFC 7519, 4.1.4', 'RFC 9101, 4'],
  description: 'Somebody may have kept a request and shows it to somebody else later.',
  sends: 'A signed request at request_uri whose exp was an hour ago.',
  decides:
    'Nothing is posted to response_uri until the verb ends, and the wallet says that it refuses.',
  async run(context) {
    const now = context.now()
    return findRequestRefused(context, {
      behaviour: { claims: { iat: now - 7200, exp: now - 3600 } },
      why: 'the request has expired',
    })
  },
})
