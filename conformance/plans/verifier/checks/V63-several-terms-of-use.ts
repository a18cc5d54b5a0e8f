import { createTermsOfUseUrl } from '#core/trust/tir-attribute.ts'
import { defineVerifierCheck } from '../define-verifier-check.ts'
import { expectAccepted } from '../expect-verdict.ts'

const what = 'termsOfUse is a list.'

export const check = defineVerifierCheck({
  id: 'V63',
  title: 'A credential with several termsOfUse is accepted',
  level: 'final',
  expectation: 'accept',
  control: 'presentation',
  clauses: ['W3C VC Data Model 2.0, 5.5'],
  description: 'termsOfUse may be a list: other terms may stand beside the accreditation.',
  sends: 'A credential whose termsOfUse is a list, with other terms before the accreditation.',
  decides: 'It has to be accepted.',
  run: (context) =>
    expectAccepted(context, [
      {
        what,
        defect: {
          name: 'several-terms-of-use',
          description: what,
          change: ({ issuer, tirBaseUrl }) => ({
            vc: {
              termsOfUse: [
                { id: 'https://example.org/policy', type: 'IssuerPolicy' },
                {
                  id: createTermsOfUseUrl(tirBaseUrl, issuer),
                  type: 'TrustedIssuersRegistryEntry',
                },
              ],
            },
          }),
        },
      },
    ]),
})
