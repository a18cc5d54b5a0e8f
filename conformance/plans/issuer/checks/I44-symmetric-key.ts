import { defineCheck } from '../../../kit/define-check.ts'
import { expectDeviationsRefused } from '../flow/expect-deviation-refused.ts'
import type { IssuerContext } from '../issuer-context.ts'

export const check = defineCheck<IssuerContext>({
  id: 'I44',
  title: 'A proof with a symmetric key in its header is refused',
  level: 'final',
  expectation: 'refuse',
  clauses: ['OpenID4VCI 1.0, F.1', 'OpenID4VCI 1.0, F.4'],
  description: 'A key that both sides know proves nothing about who holds it.',
  sends: 'A proof whose header holds a jwk of kty oct, made of the public key.',
  decides:
    'The credential endpoint answers with a 4xx and no credential, while the same wallet without the deviation gets one.',
  run: (context) =>
    expectDeviationsRefused(context, {
      'proof-symmetric-jwk': { errors: ['invalid_proof'] },
    }),
})
