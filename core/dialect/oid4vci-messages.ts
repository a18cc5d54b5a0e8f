import { isJsonObject } from '#core/json/json-object.ts'
import { preAuthorizedCodeGrant } from '#core/oid4vci/token.ts'
import { type DialectEntry, isList, isText } from './dialect-entry.ts'

// For members without a separate section.
const clause = 'profile/connector, Endpoints for wallets'
const offerClause = 'profile/connector, Credential offer'
const grant = `grants.${preAuthorizedCodeGrant}`

/** The credential offer, by revision. */
export const credentialOfferDialect: readonly DialectEntry[] = [
  {
    path: 'credentials.*',
    form: isText,
    follows: 'OpenID4VCI up to draft 12',
    clause: offerClause,
    show: true,
  },
  {
    path: 'credentials.*',
    form: isJsonObject,
    follows: 'OpenID4VCI up to draft 11',
    documents: 'credentials lists ids of credentials_supported, as strings',
    clause: offerClause,
  },
  {
    path: 'credential_configuration_ids',
    follows: 'OpenID4VCI 1.0 (draft 13 and later)',
    documents: 'credentials lists the ids of the offered credentials',
    clause: `OpenID4VCI 1.0, 4.1.1; ${offerClause}`,
  },
  {
    path: `${grant}.user_pin_required`,
    follows: 'OpenID4VCI up to draft 12',
    documents: 'tx_code is present if a PIN is required, and absent otherwise',
    clause: offerClause,
  },
  { path: `${grant}.tx_code`, follows: 'OpenID4VCI 1.0 (draft 13 and later)', clause: offerClause },
  {
    path: `${grant}.interval`,
    follows: 'OpenID4VCI up to draft 13',
    documents: 'the grant contains pre-authorized_code and tx_code',
    clause: offerClause,
  },
  {
    path: `${grant}.authorization_server`,
    follows: 'OpenID4VCI 1.0 (draft 12 and later)',
    documents: "the token endpoint is the issuer's own",
    clause,
  },
  {
    path: 'grants.authorization_code',
    follows: 'OpenID4VCI, every revision',
    documents: 'offers use the pre-authorized code flow',
    clause: offerClause,
  },
]

const metadataClause = 'profile/connector, Issuer metadata'

/** The members of each entry in an issuer's list of credentials, at the given path. */
const entriesAt = (list: string): readonly DialectEntry[] => [
  { path: `${list}.*.types`, follows: 'OpenID4VCI up to draft 11', clause: metadataClause },
  {
    path: `${list}.*.credential_definition`,
    follows: 'OpenID4VCI draft 12 and later',
    documents: 'types is in the entry itself',
    clause: metadataClause,
  },
  {
    path: `${list}.*.cryptographic_suites_supported`,
    follows: 'OpenID4VCI up to draft 12',
    clause: metadataClause,
  },
  {
    path: `${list}.*.credential_signing_alg_values_supported`,
    follows: 'OpenID4VCI 1.0 (draft 13 and later)',
    documents: 'cryptographic_suites_supported names the suites',
    clause: metadataClause,
  },
  {
    path: `${list}.*.proof_types_supported`,
    follows: 'OpenID4VCI 1.0 (draft 13 and later)',
    documents: 'proofs are JWTs, with one of cryptographic_suites_supported',
    clause: metadataClause,
  },
  {
    path: `${list}.*.credential_metadata`,
    follows: 'OpenID4VCI 1.0 (draft 16 and later)',
    documents: 'an entry has format, id, types, binding methods and suites',
    clause: metadataClause,
  },
]

/** The metadata of a credential issuer, by revision. */
export const issuerMetadataDialect: readonly DialectEntry[] = [
  {
    path: 'credentials_supported',
    form: isList,
    follows: 'OpenID4VCI up to draft 11',
    clause: metadataClause,
  },
  {
    path: 'credentials_supported',
    form: isJsonObject,
    follows: 'OpenID4VCI draft 12',
    documents: 'credentials_supported is a list, each entry with its id',
    clause: metadataClause,
  },
  {
    path: 'credential_configurations_supported',
    follows: 'OpenID4VCI 1.0 (draft 13 and later)',
    documents: 'credentials_supported is a list, each entry with its id',
    clause: `OpenID4VCI 1.0, 12.2.4; ${metadataClause}`,
  },
  ...entriesAt('credentials_supported'),
  ...entriesAt('credential_configurations_supported'),
  {
    path: 'nonce_endpoint',
    follows: 'OpenID4VCI 1.0 (draft 15 and later)',
    documents: 'the c_nonce comes with the token response',
    clause: `OpenID4VCI 1.0, 7; ${clause}`,
  },
  {
    path: 'notification_endpoint',
    follows: 'OpenID4VCI 1.0 (draft 13 and later)',
    documents: 'wallets do not send notifications',
    clause,
  },
  {
    path: 'batch_credential_endpoint',
    follows: 'OpenID4VCI drafts 9 to 13',
    documents: 'each credential needs a separate request',
    clause,
  },
  {
    path: 'batch_credential_issuance',
    follows: 'OpenID4VCI 1.0 (draft 14 and later)',
    documents: 'each credential needs a separate request',
    clause,
  },
  {
    path: 'authorization_server',
    follows: 'OpenID4VCI drafts 10 and 11',
    documents: "the token endpoint is the issuer's own",
    clause,
  },
  {
    path: 'authorization_servers',
    follows: 'OpenID4VCI draft 12 and later',
    documents: "the token endpoint is the issuer's own",
    clause,
  },
  {
    path: 'signed_metadata',
    follows: 'OpenID4VCI drafts 13 to 15',
    documents: 'metadata is plain JSON',
    clause: metadataClause,
  },
]

const authorizationDetails: DialectEntry = {
  path: 'authorization_details',
  follows: 'OpenID4VCI draft 12 and later',
  documents: 'the access token is valid for the offered credentials',
  clause,
}

/** The token request, by revision. */
export const tokenRequestDialect: readonly DialectEntry[] = [
  {
    path: 'user_pin',
    follows: 'OpenID4VCI up to draft 12',
    documents: 'tx_code contains the PIN',
    clause,
  },
  { path: 'tx_code', follows: 'OpenID4VCI 1.0 (draft 13 and later)', clause },
  authorizationDetails,
]

/** The token response, by revision. */
export const tokenResponseDialect: readonly DialectEntry[] = [
  { path: 'c_nonce', follows: 'OpenID4VCI up to draft 14', clause },
  { path: 'c_nonce_expires_in', follows: 'OpenID4VCI up to draft 14', clause },
  authorizationDetails,
]

const byFormat = 'format and types identify the requested credential'
const oneProof = 'proof contains one proof of possession, a JWT'

/** The credential request, by revision. */
export const credentialRequestDialect: readonly DialectEntry[] = [
  { path: 'format', follows: 'OpenID4VCI up to draft 14', clause, show: true },
  { path: 'types', follows: 'OpenID4VCI up to draft 11', clause },
  {
    path: 'credential_definition',
    follows: 'OpenID4VCI drafts 12 to 14',
    documents: 'types is in the request itself',
    clause,
  },
  {
    path: 'credential_identifier',
    follows: 'OpenID4VCI draft 12 and later',
    documents: byFormat,
    clause: `OpenID4VCI 1.0, 8.2; ${clause}`,
  },
  {
    path: 'credential_configuration_id',
    follows: 'OpenID4VCI 1.0 (draft 15 and later)',
    documents: byFormat,
    clause: `OpenID4VCI 1.0, 8.2; ${clause}`,
  },
  { path: 'proof', follows: 'OpenID4VCI up to draft 15', clause },
  {
    path: 'proof.proof_type',
    form: (type) => type !== 'jwt',
    follows: 'OpenID4VCI draft 12 and later',
    documents: oneProof,
    clause,
    show: true,
  },
  {
    path: 'proofs',
    follows: 'OpenID4VCI 1.0 (draft 14 and later)',
    documents: oneProof,
    clause: `OpenID4VCI 1.0, 8.2; ${clause}`,
  },
  {
    path: 'credential_response_encryption',
    follows: 'OpenID4VCI 1.0 (draft 13 and later)',
    documents: 'responses are plain JSON',
    clause,
  },
]

/** The request for a deferred credential, by revision. */
export const deferredRequestDialect: readonly DialectEntry[] = [
  {
    path: 'acceptance_token',
    follows: 'OpenID4VCI up to draft 11 by its name, draft 12 and later by its place in the body',
    clause,
  },
  {
    path: 'transaction_id',
    follows: 'OpenID4VCI 1.0 (draft 12 and later)',
    documents: 'acceptance_token identifies the credential',
    clause: `OpenID4VCI 1.0, 9.1; ${clause}`,
  },
]

const theJwt = 'credential is the JWT itself, next to format'

const isListOfEntries = (credentials: unknown) =>
  isList(credentials) && credentials.every(isJsonObject)

/** The response of the credential endpoint and the deferred credential endpoint, by revision. */
export const credentialResponseDialect: readonly DialectEntry[] = [
  { path: 'format', follows: 'OpenID4VCI up to draft 12', clause, show: true },
  { path: 'credential', follows: 'OpenID4VCI up to draft 14', clause },
  {
    path: 'credentials',
    form: isListOfEntries,
    follows: 'OpenID4VCI 1.0 (draft 15 and later)',
    documents: theJwt,
    clause: `OpenID4VCI 1.0, 8.3; ${clause}`,
  },
  {
    path: 'credentials',
    form: (credentials) => !isListOfEntries(credentials),
    follows: 'OpenID4VCI draft 14',
    documents: theJwt,
    clause,
  },
  { path: 'acceptance_token', follows: 'OpenID4VCI up to draft 11', clause },
  {
    path: 'transaction_id',
    follows: 'OpenID4VCI 1.0 (draft 12 and later)',
    documents: 'acceptance_token identifies the credential that is not ready',
    clause: `OpenID4VCI 1.0, 8.3; ${clause}`,
  },
  {
    path: 'interval',
    follows: 'OpenID4VCI 1.0 (draft 16 and later)',
    documents: 'the wallet chooses the polling interval',
    clause,
    show: true,
  },
  { path: 'c_nonce', follows: 'OpenID4VCI up to draft 14', clause },
  { path: 'c_nonce_expires_in', follows: 'OpenID4VCI up to draft 14', clause },
  {
    path: 'notification_id',
    follows: 'OpenID4VCI 1.0 (draft 13 and later)',
    documents: 'wallets do not send notifications',
    clause,
  },
  {
    path: 'error',
    form: (error) => error === 'issuance_pending',
    follows: 'OpenID4VCI drafts 12 to 15',
    documents: 'HTTP 202 means that the credential is not ready',
    clause: 'profile/connector, Deferred credential',
    show: true,
  },
]
