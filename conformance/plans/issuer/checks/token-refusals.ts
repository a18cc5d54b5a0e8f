import { defineChecks } from '../../../kit/check.ts'
import { expectDeviationsRefused } from '../flow/expect-deviation-refused.ts'
import type { IssuerContext } from '../issuer-context.ts'

export const checks = defineChecks<IssuerContext>({
  'I11-token-not-a-form': {
    title: 'A token request that is no form brings no token',
    level: 'final',
    expectation: 'refuse',
    rows: [
      '1.endpoints/endpoints-an-issuer-exposes-to-the-wallet.2',
      '1.endpoints/endpoints-an-issuer-exposes-to-the-wallet.5',
    ],
    clauses: ['OpenID4VCI 1.0, 6.1', 'RFC 6749, 3.2'],
    description:
      'Parameters in an address end up in logs and histories, and an issuer that takes any body is open to requests that other sites make.',
    sends:
      'The parameters as JSON, in the address with an empty body, and by GET, each with the code of an offer of its own.',
    decides:
      'The token endpoint answers each with a 4xx and no token, while the form as documented gets one.',
    run: (context) =>
      expectDeviationsRefused(context, {
        'token-json-body': {},
        'token-query-parameters': {},
        'token-by-get': {},
      }),
  },
  'I12-other-grant-type': {
    title: 'Another grant type than the pre-authorized code brings no token',
    level: 'spec',
    expectation: 'refuse',
    rows: ['1.endpoints/endpoints-an-issuer-exposes-to-the-wallet.5'],
    clauses: ['RFC 6749, 5.2'],
    description: 'An issuer that does not look at the grant type takes a code for what it is not.',
    sends: 'A good code with the grant_type authorization_code, and without a grant_type.',
    decides:
      'The token endpoint answers 4xx: unsupported_grant_type for another one, or invalid_request where it knows that one and misses its code; invalid_request for none. Another error code is a WARN.',
    run: (context) =>
      expectDeviationsRefused(context, {
        'token-wrong-grant-type': { errors: ['unsupported_grant_type', 'invalid_request'] },
        'token-missing-grant-type': { errors: ['invalid_request'] },
      }),
  },
  'I13-unknown-code': {
    title: 'A code that the issuer never gave out brings no token',
    level: 'spec',
    expectation: 'refuse',
    rows: ['1.endpoints/endpoints-an-issuer-exposes-to-the-wallet.5'],
    clauses: ['RFC 6749, 3.2', 'RFC 6749, 5.2', 'OpenID4VCI 1.0, 6.3'],
    description: 'Whoever can make up a code gets the credential of somebody else.',
    sends: 'A code of no offer, no code, and a good code twice in one form.',
    decides:
      'The token endpoint answers 4xx: invalid_grant for the unknown one, invalid_request for the others. Another error code is a WARN, and so is taking the form with the code twice.',
    run: (context) =>
      expectDeviationsRefused(context, {
        'token-unknown-code': { errors: ['invalid_grant'] },
        'token-missing-code': { errors: ['invalid_request'] },
        'token-code-twice': { errors: ['invalid_request'], level: 'final' },
      }),
  },
  'I16-pin-missing': {
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
  },
  'I18-pin-unasked': {
    title: 'A PIN that nobody asked for is refused',
    level: 'final',
    expectation: 'refuse',
    clauses: ['OpenID4VCI 1.0, 6.3'],
    description:
      'A wallet that sends one shows its holder another offer than the one it redeems: the two were mixed up, or somebody did that.',
    sends: 'A tx_code with the code of an offer that has none.',
    decides: 'The token endpoint answers 4xx with invalid_request.',
    run: (context) =>
      expectDeviationsRefused(context, {
        'pin-unasked': { errors: ['invalid_request'] },
      }),
  },
  'I20-pin-of-another-form': {
    title: 'What is no PIN of the announced form brings no token',
    level: 'practice',
    expectation: 'refuse',
    rows: ['1.resources-and-their-fields/credential-offer-object.4'],
    description:
      'Comparisons that cut, pad or convert what was typed let somebody in who has a part of the PIN.',
    sends: 'The PIN without its last digit, and letters in place of digits.',
    decides:
      'The token endpoint answers 4xx with invalid_grant or invalid_request; with the PIN the same request gets a token.',
    needs: ['pin'],
    run: (context) =>
      expectDeviationsRefused(context, {
        'pin-wrong-length': { errors: ['invalid_grant', 'invalid_request'] },
        'pin-wrong-characters': { errors: ['invalid_grant', 'invalid_request'] },
      }),
  },
})
