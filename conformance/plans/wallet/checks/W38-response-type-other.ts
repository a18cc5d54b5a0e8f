import { defineCheck } from '../../../kit/check.ts'
import type { WalletContext } from '../context.ts'
import { findRequestRefused } from '../findings/find-request-refused.ts'

export const check = defineCheck<WalletContext>({
  id: 'W38',
  title: 'A request for another response_type is not answered',
  level: 'final',
  expectation: 'refuse',
  control: 'requests',
  clauses: ['RFC 6749, 3.1.1', 'OpenID4VP 1.0, 5.6'],
  description: 'What asks for a code or an id_token is no presentation request.',
  sends: 'A signed request at request_uri with response_type code.',
  decides:
    'Nothing is posted to response_uri until the verb ends, and the wallet says that it refuses.',
  run: (context) =>
    findRequestRefused(context, {
      behaviour: { parameters: { response_type: 'code' } },
      why: 'response_type is not vp_token',
    }),
})
