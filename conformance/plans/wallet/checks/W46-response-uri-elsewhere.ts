import { defineCheck } from '../../../kit/check.ts'
import type { WalletContext } from '../context.ts'
import { findRequestRefused } from '../findings/find-request-refused.ts'

export const check = defineCheck<WalletContext>({
  id: 'W46',
  title: 'An answer does not go to another host than client_id',
  level: 'final',
  expectation: 'refuse',
  control: 'requests',
  clauses: ['OpenID4VP 1.0, 8.2', 'OpenID4VP 1.0, 14.3.1'],
  description:
    'Whoever forges an unsigned request can name any client_id: the holder reads a known name, and the answer goes to the forger.',
  sends:
    'An unsigned request in the link whose client_id is https://verifier.example and whose response_uri is at the kit.',
  decides:
    'Nothing is posted to response_uri until the verb ends, and the wallet says that it refuses.',
  run: (context) =>
    findRequestRefused(context, {
      why: 'response_uri is at another host than client_id',
      link: (session) => session.requestByValue('https://verifier.example'),
    }),
})
