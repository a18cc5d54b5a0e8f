import { defineCheck } from '../../../kit/define-check.ts'
import { expectDeviationsRefused } from '../flow/expect-deviation-refused.ts'
import type { IssuerContext } from '../issuer-context.ts'

export const check = defineCheck<IssuerContext>({
  id: 'I49',
  title: 'A type that the issuer does not have is refused',
  level: 'final',
  expectation: 'refuse',
  rows: ['1.resources-and-their-fields/issuer-metadata.3'],
  clauses: ['OpenID4VCI 1.0, 8.3.1.2'],
  description:
    'An issuer that hands out something else than was asked for surprises wallets; one that makes up a type deceives verifiers.',
  sends: 'The credential request with the types VerifiableCredential and UnheardOfCredential.',
  decides:
    'The credential endpoint answers 4xx, with unsupported_credential_type or the code that OpenID4VCI 1.0 has for it.',
  run: (context) =>
    expectDeviationsRefused(context, {
      'credential-unknown-type': {
        errors: [
          'unsupported_credential_type',
          'unknown_credential_configuration',
          'invalid_credential_request',
        ],
      },
    }),
})
