import { refusedDeviations } from '../deviations.ts'

export const checks = refusedDeviations({
  'I11-token-not-a-form': {
    title: 'A token request that is no form brings no token',
    level: 'final',
    rows: [
      '1.endpoints/endpoints-an-issuer-exposes-to-the-wallet.2',
      '1.endpoints/endpoints-an-issuer-exposes-to-the-wallet.5',
    ],
    clauses: ['OpenID4VCI 1.0, 6.1', 'RFC 6749, 3.2'],
    description:
      'Parameters in an address end up in logs and histories, and an issuer that takes any body is open to requests that other sites make.',
    deviations: ['token-json-body', 'token-query-parameters', 'token-by-get'],
  },
  'I12-other-grant-type': {
    title: 'Another grant type than the pre-authorized code brings no token',
    level: 'spec',
    rows: ['1.endpoints/endpoints-an-issuer-exposes-to-the-wallet.5'],
    clauses: ['RFC 6749, 5.2'],
    description: 'An issuer that does not look at the grant type takes a code for what it is not.',
    deviations: [
      { name: 'token-wrong-grant-type', errors: ['unsupported_grant_type', 'invalid_request'] },
      { name: 'token-missing-grant-type', errors: ['invalid_request'] },
    ],
  },
  'I13-unknown-code': {
    title: 'A code that the issuer never gave out brings no token',
    level: 'spec',
    rows: ['1.endpoints/endpoints-an-issuer-exposes-to-the-wallet.5'],
    clauses: ['RFC 6749, 3.2', 'RFC 6749, 5.2', 'OpenID4VCI 1.0, 6.3'],
    description: 'Whoever can make up a code gets the credential of somebody else.',
    deviations: [
      { name: 'token-unknown-code', errors: ['invalid_grant'] },
      { name: 'token-missing-code', errors: ['invalid_request'] },
      { name: 'token-code-twice', errors: ['invalid_request'], level: 'final' },
    ],
    note: 'Taking the form with the code twice is a WARN.',
  },
  'I16-pin-missing': {
    title: 'Where the offer asks for a PIN, a request without one brings no token',
    level: 'spec',
    rows: [
      '1.endpoints/endpoints-an-issuer-exposes-to-the-wallet.5',
      '1.resources-and-their-fields/credential-offer-object.4',
    ],
    clauses: ['OpenID4VCI 1.0, 6.3'],
    description:
      'The PIN is what keeps somebody who photographed the QR code from taking the credential.',
    needs: ['pin'],
    errors: ['invalid_request'],
    deviations: ['pin-missing'],
  },
  'I18-pin-unasked': {
    title: 'A PIN that nobody asked for is refused',
    level: 'final',
    clauses: ['OpenID4VCI 1.0, 6.3'],
    description:
      'A wallet that sends one shows its holder another offer than the one it redeems: the two were mixed up, or somebody did that.',
    errors: ['invalid_request'],
    deviations: ['pin-unasked'],
  },
  'I20-pin-of-another-form': {
    title: 'What is no PIN of the announced form brings no token',
    level: 'practice',
    rows: ['1.resources-and-their-fields/credential-offer-object.4'],
    description:
      'Comparisons that cut, pad or convert what was typed let somebody in who has a part of the PIN.',
    needs: ['pin'],
    errors: ['invalid_grant', 'invalid_request'],
    deviations: ['pin-wrong-length', 'pin-wrong-characters'],
  },
})
