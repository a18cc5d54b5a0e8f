import { defineCheck } from '../../../kit/define-check.ts'
import { expectDeviationsRefused } from '../flow/expect-deviation-refused.ts'
import type { IssuerContext } from '../issuer-context.ts'

export const check = defineCheck<IssuerContext>({
  id: 'I52',
  title: 'Another proof type than jwt is refused',
  level: 'spec',
  expectation: 'refuse',
  rows: ['1.endpoints/endpoints-an-issuer-exposes-to-the-wallet.9'],
  clauses: ['OpenID4VCI 1.0, 8.3.1.2'],
  description:
    'An issuer that does not look at the type reads one kind of proof by the rules of another.',
  sends: 'A sound proof JWT under the proof_type ldp_vp.',
  decides:
    'The credential endpoint answers with a 4xx and no credential, while the same wallet without the deviation gets one.',
  run: (context) =>
    expectDeviationsRefused(context, {
      'proof-wrong-proof-type': {
        errors: ['invalid_proof', 'invalid_request', 'invalid_credential_request'],
      },
    }),
})
