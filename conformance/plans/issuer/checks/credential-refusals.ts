import { refusedDeviations } from '../deviations.ts'
import { readOffer } from '../redeeming.ts'

export const checks = refusedDeviations({
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
