import { refusedDeviations } from '../deviations.ts'
import { readOffer } from '../redeeming.ts'

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
  'I47-token-in-query': {
    title: 'An access token in the address is ignored',
    level: 'practice',
    rows: ['1.endpoints/endpoints-an-issuer-exposes-to-the-wallet.7'],
    clauses: ['RFC 9700, 4.3.2'],
    description:
      'Addresses are logged and passed on as Referer, where attackers can read the token. RFC 9700 forbids it for clients, and RFC 6750 lets servers decide whether they accept it.',
    fix: 'Read the access token only from the header Authorization: Bearer. Ignore access_token in the address, and return 401 without the header.',
    deviations: ['bearer-in-query'],
  },
  'I48-token-for-another-type': {
    title: 'An access token does not yield a credential of a type that was not offered',
    level: 'final',
    rows: ['1.resources-and-their-fields/credential-offer-object.2'],
    clauses: ['OpenID4VCI 1.0, 6.1', 'OpenID4VCI 1.0, 8.3.1.1'],
    description:
      'A holder with a minor offer could get a credential that is meant for other holders.',
    fix: 'Store the offered credentials with the access token. If types in the credential request are not among them, return a 4xx, such as 400 invalid_credential_request.',
    deviations: ['credential-other-type'],
    async findUndecided(context) {
      const { metadata, offer } = (await readOffer(context)).resolved
      return metadata.credentialsSupported.every(({ id }) => offer.credentials.includes(id))
        ? 'The offer contains all types of the issuer: add a second type that create-offer leaves out.'
        : undefined
    },
  },
  'I49-unknown-types': {
    title: 'A type that the issuer does not support is rejected',
    level: 'final',
    rows: ['1.resources-and-their-fields/issuer-metadata.3'],
    clauses: ['OpenID4VCI 1.0, 8.3.1.2'],
    description:
      'An issuer that issues a different type than requested confuses wallets; an issuer that invents a type deceives verifiers.',
    fix: 'Look up types of the credential request in credentials_supported. If no entry matches, return 400 unsupported_credential_type: do not issue a default type.',
    errors: [
      'unsupported_credential_type',
      'unknown_credential_configuration',
      'invalid_credential_request',
    ],
    deviations: ['credential-unknown-type'],
  },
  'I50-other-format': {
    title: 'A format other than jwt_vc_json is rejected',
    level: 'spec',
    rows: [
      '1.endpoints/endpoints-an-issuer-exposes-to-the-wallet.9',
      '1.resources-and-their-fields/issuer-metadata.3',
    ],
    description: 'A wallet that requests a format must get that format or an error.',
    fix: 'Compare format of the credential request with jwt_vc_json. If it differs, return 400 unsupported_credential_format.',
    errors: [
      'unsupported_credential_format',
      'unsupported_credential_type',
      'invalid_credential_request',
      'invalid_request',
    ],
    deviations: ['credential-other-format'],
  },
  'I51-types-incomplete': {
    title: 'Types without VerifiableCredential are rejected',
    level: 'spec',
    rows: ['1.endpoints/endpoints-an-issuer-exposes-to-the-wallet.9'],
    description:
      'The profile requires it in every request: an issuer without this check accepts requests that were meant for something else.',
    fix: 'Require VerifiableCredential in types of the credential request. If it is missing, return a 4xx, such as 400 invalid_credential_request.',
    deviations: ['credential-incomplete-types'],
  },
  'I52-other-proof-type': {
    title: 'A proof type other than jwt is rejected',
    level: 'spec',
    rows: ['1.endpoints/endpoints-an-issuer-exposes-to-the-wallet.9'],
    clauses: ['OpenID4VCI 1.0, 8.3.1.2'],
    description:
      'An issuer that ignores the type evaluates one kind of proof by the rules of a different kind.',
    fix: 'Require proof_type jwt in proof of the credential request. For any other value, return 400 invalid_proof.',
    errors: ['invalid_proof', 'invalid_request', 'invalid_credential_request'],
    deviations: ['proof-wrong-proof-type'],
  },
})
