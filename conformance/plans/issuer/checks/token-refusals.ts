import { refusedDeviations } from '../deviations.ts'

export const checks = refusedDeviations({
  'I11-token-not-a-form': {
    title: 'A token request that is not a form does not yield a token',
    level: 'final',
    rows: [
      '1.endpoints/endpoints-an-issuer-exposes-to-the-wallet.2',
      '1.endpoints/endpoints-an-issuer-exposes-to-the-wallet.5',
    ],
    clauses: ['OpenID4VCI 1.0, 6.1', 'RFC 6749, 3.2'],
    description:
      'Parameters in an address end up in logs and histories, and an issuer that accepts any body is open to requests from other sites.',
    fix: 'Accept only POST with application/x-www-form-urlencoded at the token endpoint, and read parameters only from the body. Reject JSON bodies, query parameters and GET with a 4xx.',
    deviations: ['token-json-body', 'token-query-parameters', 'token-by-get'],
  },
  'I12-other-grant-type': {
    title: 'A grant type other than the pre-authorized code does not yield a token',
    level: 'spec',
    rows: ['1.endpoints/endpoints-an-issuer-exposes-to-the-wallet.5'],
    clauses: ['RFC 6749, 5.2'],
    description: 'An issuer that ignores the grant type may misinterpret a code.',
    fix: 'Compare grant_type with urn:ietf:params:oauth:grant-type:pre-authorized_code. Reject any other value with 400 unsupported_grant_type, and a missing one with 400 invalid_request.',
    deviations: [
      { name: 'token-wrong-grant-type', errors: ['unsupported_grant_type', 'invalid_request'] },
      { name: 'token-missing-grant-type', errors: ['invalid_request'] },
    ],
  },
  'I13-unknown-code': {
    title: 'An unknown code does not yield a token',
    level: 'spec',
    rows: ['1.endpoints/endpoints-an-issuer-exposes-to-the-wallet.5'],
    clauses: ['RFC 6749, 3.2', 'RFC 6749, 5.2', 'OpenID4VCI 1.0, 6.3'],
    description: 'An attacker who can make up a code gets the credential of another holder.',
    fix: 'Look up pre-authorized_code before you create a token. Reject an unknown code with 400 invalid_grant, and a missing or repeated parameter with 400 invalid_request.',
    deviations: [
      { name: 'token-unknown-code', errors: ['invalid_grant'] },
      { name: 'token-missing-code', errors: ['invalid_request'] },
      { name: 'token-code-twice', errors: ['invalid_request'], level: 'final' },
    ],
    note: 'Accepting the form with a duplicate code is a WARN.',
  },
  'I16-pin-missing': {
    title: 'If the offer requires a PIN, a request without a PIN does not yield a token',
    level: 'spec',
    rows: [
      '1.endpoints/endpoints-an-issuer-exposes-to-the-wallet.5',
      '1.resources-and-their-fields/credential-offer-object.4',
    ],
    clauses: ['OpenID4VCI 1.0, 6.3'],
    description:
      'The PIN prevents an attacker who photographed the QR code from getting the credential.',
    fix: 'If the offer has tx_code, require tx_code in the token request. Reject a request without it with 400 invalid_request.',
    needs: ['pin'],
    errors: ['invalid_request'],
    deviations: ['pin-missing'],
  },
  'I18-pin-unasked': {
    title: 'A PIN that the offer does not require is rejected',
    level: 'final',
    clauses: ['OpenID4VCI 1.0, 6.3'],
    description:
      'A wallet that sends a PIN shows its holder a different offer than the one it redeems: the two were mixed up, perhaps by an attacker.',
    fix: 'If the offer has no tx_code, reject a token request that has one with 400 invalid_request.',
    errors: ['invalid_request'],
    deviations: ['pin-unasked'],
  },
  'I20-pin-of-another-form': {
    title: 'A PIN that does not have the form that its offer specifies does not yield a token',
    level: 'practice',
    rows: ['1.resources-and-their-fields/credential-offer-object.4'],
    description:
      'Comparisons that truncate, pad or convert the input accept an attacker who knows a part of the PIN.',
    fix: 'Compare tx_code with the PIN as complete strings, without trimming, padding or conversion to a number. If they differ, return 400 invalid_grant.',
    needs: ['pin'],
    errors: ['invalid_grant', 'invalid_request'],
    deviations: ['pin-wrong-length', 'pin-wrong-characters'],
  },
})
