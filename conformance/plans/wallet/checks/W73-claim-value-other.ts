import { defineCheck } from '../../../kit/check.ts'
import type { WalletContext } from '../context.ts'
import { findRequestRefused } from '../findings/find-request-refused.ts'

export const check = defineCheck<WalletContext>({
  id: 'W73',
  title: 'A query for another value than the credential has is not answered',
  level: 'final',
  expectation: 'refuse',
  control: 'requests',
  clauses: ['OpenID4VP 1.0, 6.3', 'OpenID4VP 1.0, 6.4.1'],
  description:
    'A verifier that asks for one value has no use for another, and the holder would show it for nothing.',
  sends:
    'A signed request at request_uri whose query asks for an employeeId that the credential does not have (values).',
  decides:
    'Nothing is posted to response_uri until the verb ends, and the wallet says that it refuses.',
  run: (context) =>
    findRequestRefused(context, {
      behaviour: {
        query: {
          claims: [
            {
              path: ['$.vc.credentialSubject.mandate.mandatee.employeeId'],
              values: ['EMP-OF-SOMEBODY-ELSE'],
            },
          ],
        },
      },
      why: 'no credential has the value that is asked for',
    }),
})
