import { defineCheck } from '../../../kit/check.ts'
import type { WalletContext } from '../context.ts'
import { findRequestRefused } from '../findings/find-request-refused.ts'

export const check = defineCheck<WalletContext>({
  id: 'W36',
  title: 'A request of another client_id than the link names is not answered',
  level: 'final',
  expectation: 'refuse',
  control: 'requests',
  clauses: ['RFC 9101, 5', 'OpenID4VP 1.0, 5.10.1'],
  description: 'What the holder was shown from the link has to be who gets the presentation.',
  sends:
    'A link whose client_id is a DID, with the signed request of another one at its request_uri.',
  decides:
    'Nothing is posted to response_uri until the verb ends, and the wallet says that it refuses.',
  run: (context) =>
    findRequestRefused(context, {
      why: 'the link names another client_id',
      link: (session) => session.requestByReference('did:org:uc-pre:z1AnotherVerifierOfThisWorld'),
    }),
})
