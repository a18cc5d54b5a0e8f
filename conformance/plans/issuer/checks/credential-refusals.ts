import { refusedDeviations } from '../deviations.ts'
import { readOffer } from '../redeeming.ts'

export const checks = refusedDeviations({
  'I47-token-in-query': {
    title: 'An access token in the address counts for nothing',
    level: 'practice',
    rows: ['1.endpoints/endpoints-an-issuer-exposes-to-the-wallet.7'],
    clauses: ['RFC 9700, 4.3.2'],
    description:
      'Addresses are logged and passed on as Referer; whoever reads them has the token. RFC 9700 forbids it to clients, and RFC 6750 leaves to servers whether they take it.',
    deviations: ['bearer-in-query'],
  },
  'I48-token-for-another-type': {
    title: 'An access token brings no credential of another type than was offered',
    level: 'final',
    rows: ['1.resources-and-their-fields/credential-offer-object.2'],
    clauses: ['OpenID4VCI 1.0, 6.1', 'OpenID4VCI 1.0, 8.3.1.1'],
    description: 'Whoever is offered something small would take what the issuer gives to others.',
    deviations: ['credential-other-type'],
    async findUndecided(context) {
      const { metadata, offer } = (await readOffer(context)).resolved
      return metadata.credentialsSupported.every(({ id }) => offer.credentials.includes(id))
        ? 'The offer is about all that the issuer has: give it a second type that create-offer leaves out.'
        : undefined
    },
  },
  'I49-unknown-types': {
    title: 'A type that the issuer does not have is refused',
    level: 'final',
    rows: ['1.resources-and-their-fields/issuer-metadata.3'],
    clauses: ['OpenID4VCI 1.0, 8.3.1.2'],
    description:
      'An issuer that hands out something else than was asked for surprises wallets; one that makes up a type deceives verifiers.',
    errors: [
      'unsupported_credential_type',
      'unknown_credential_configuration',
      'invalid_credential_request',
    ],
    deviations: ['credential-unknown-type'],
  },
  'I50-other-format': {
    title: 'Another format than jwt_vc_json is refused',
    level: 'spec',
    rows: [
      '1.endpoints/endpoints-an-issuer-exposes-to-the-wallet.9',
      '1.resources-and-their-fields/issuer-metadata.3',
    ],
    description: 'A wallet that asks for a format gets that format, or is told that there is none.',
    errors: [
      'unsupported_credential_format',
      'unsupported_credential_type',
      'invalid_credential_request',
      'invalid_request',
    ],
    deviations: ['credential-other-format'],
  },
  'I51-types-incomplete': {
    title: 'Types without VerifiableCredential are refused',
    level: 'spec',
    rows: ['1.endpoints/endpoints-an-issuer-exposes-to-the-wallet.9'],
    description:
      'The profile demands it in every request: an issuer that does not look takes requests that were meant for something else.',
    deviations: ['credential-incomplete-types'],
  },
  'I52-other-proof-type': {
    title: 'Another proof type than jwt is refused',
    level: 'spec',
    rows: ['1.endpoints/endpoints-an-issuer-exposes-to-the-wallet.9'],
    clauses: ['OpenID4VCI 1.0, 8.3.1.2'],
    description:
      'An issuer that does not look at the type reads one kind of proof by the rules of another.',
    errors: ['invalid_proof', 'invalid_request', 'invalid_credential_request'],
    deviations: ['proof-wrong-proof-type'],
  },
})
