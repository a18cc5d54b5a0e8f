import { defineCheck } from '../../../kit/define-check.ts'
import { expectDeviationsRefused } from '../flow/expect-deviation-refused.ts'
import type { IssuerContext } from '../issuer-context.ts'

export const check = defineCheck<IssuerContext>({
  id: 'I16',
  title: 'Where the offer asks for a PIN, a request without one brings no token',
  level: 'spec',
  expectation: 'refuse',
  rows: [
    '1.endpoints/endpoints-an-issuer-exposes-to-the-wallet.5',
    '1.resources-and-their-fields/credential-offer-object.4',
  ],
  clauses: ['OpenID4VCI 1.0, 6.3'],
  description:
    'The PIN is what keeps somebody who photographed the QR code from taking the credential.',
  sends: 'The token request for an offer with a PIN, without tx_code.',
  decides:
    'The token endpoint answers 4xx, by OpenID4VCI with invalid_request; with the PIN the same request gets a token.',
  needs: ['pin'],
  run: (context) =>
    expectDeviationsRefused(context, {
      'pin-missing': { errors: ['invalid_request'] },
    }),
})
