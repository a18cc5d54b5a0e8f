import { defineCheck } from '../../../kit/define-check.ts'
import { expectDeviationsRefused } from '../flow/expect-deviation-refused.ts'
import type { IssuerContext } from '../issuer-context.ts'

export const check = defineCheck<IssuerContext>({
  id: 'I25',
  title: 'Without a proof of possession there is no credential',
  level: 'spec',
  expectation: 'refuse',
  rows: ['1.authentication.7', '1.endpoints/endpoints-an-issuer-exposes-to-the-wallet.9'],
  clauses: ['OpenID4VCI 1.0, 8.3.1.2'],
  description: 'A credential that is bound to no key can be presented by whoever gets hold of it.',
  sends: 'The credential request without proof, and with a text in it that is no JWT.',
  decides:
    'The credential endpoint answers each with a 4xx and no credential, while the same wallet without the deviation gets one.',
  run: (context) =>
    expectDeviationsRefused(context, {
      'proof-missing': { errors: ['invalid_proof'] },
      'proof-no-jwt': { errors: ['invalid_proof'] },
    }),
})
