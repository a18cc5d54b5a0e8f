import { defineCheck } from '../../../kit/check.ts'
import type { WalletContext } from '../context.ts'
import { findRequestRefused } from '../findings/find-request-refused.ts'

export const check = defineCheck<WalletContext>({
  id: 'W37',
  title: 'A request without a nonce is not answered',
  level: 'spec',
  expectation: 'refuse',
  control: 'requests',
  rows: [
    '1.resources-and-their-fields/presentation-authorization-request.5',
    '1.resources-and-their-fields/presentation-token.2',
  ],
  description: 'Without it a presentation can be used again by whoever has seen it.',
  sends: 'A signed request at request_uri without nonce.',
  decides:
    'Nothing is posted to response_uri until the verb ends, and the wallet says that it refuses.',
  run: (context) =>
    findRequestRefused(context, {
      behaviour: { parameters: { nonce: undefined } },
      why: 'the request has no nonce',
    }),
})
