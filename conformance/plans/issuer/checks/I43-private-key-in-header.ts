import { defineCheck } from '../../../kit/define-check.ts'
import { expectDeviationsRefused } from '../flow/expect-deviation-refused.ts'
import type { IssuerContext } from '../issuer-context.ts'

export const check = defineCheck<IssuerContext>({
  id: 'I43',
  title: 'A proof that gives a private key away is refused',
  level: 'final',
  expectation: 'refuse',
  clauses: ['OpenID4VCI 1.0, F.4'],
  description:
    'A wallet that publishes private keys must hear of it before somebody relies on what it signs.',
  sends:
    'A proof whose header holds a jwk with the member d, of a key that is used for nothing else.',
  decides:
    'The credential endpoint answers with a 4xx and no credential, while the same wallet without the deviation gets one.',
  run: (context) =>
    expectDeviationsRefused(context, {
      'proof-private-jwk': { errors: ['invalid_proof'] },
    }),
})
