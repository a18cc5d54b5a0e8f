import { defineCheck } from '../../../kit/define-check.ts'
import { expectDeviationsRefused } from '../flow/expect-deviation-refused.ts'
import type { IssuerContext } from '../issuer-context.ts'

export const check = defineCheck<IssuerContext>({
  id: 'I51',
  title: 'Types without VerifiableCredential are refused',
  level: 'spec',
  expectation: 'refuse',
  rows: ['1.endpoints/endpoints-an-issuer-exposes-to-the-wallet.9'],
  description:
    'The documents demand it in every request: an issuer that does not look takes requests that were meant for something else.',
  sends: 'The credential request with the types of the offer but for VerifiableCredential.',
  decides:
    'The credential endpoint answers with a 4xx and no credential, while the same wallet without the deviation gets one.',
  run: (context) =>
    expectDeviationsRefused(context, {
      'credential-incomplete-types': {},
    }),
})
