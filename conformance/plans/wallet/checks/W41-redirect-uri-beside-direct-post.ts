import { defineCheck } from '../../../kit/check.ts'
import type { WalletContext } from '../context.ts'
import { findRequestRefused } from '../findings/find-request-refused.ts'

export const check = defineCheck<WalletContext>({
  id: 'W41',
  title: 'A request with redirect_uri beside direct_post is not answered',
  level: 'final',
  expectation: 'refuse',
  control: 'requests',
  clauses: ['OpenID4VP 1.0, 8.2'],
  description:
    'Such a request says two things of where the answer goes; OpenID4VP has it be an invalid_request.',
  sends: 'A signed request at request_uri with redirect_uri.',
  decides:
    'Nothing is posted to response_uri until the verb ends, and the wallet says that it refuses.',
  run: (context) =>
    findRequestRefused(context, {
      behaviour: { parameters: { redirect_uri: 'https://verifier.example/cb' } },
      why: 'redirect_uri stands beside direct_post',
    }),
})
