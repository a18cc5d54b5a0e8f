import { isJsonObject } from '#core/json/json-object.ts'
import { presentedFormat } from '#core/oid4vp/dcql-query.ts'
import { submissionDefinitionId } from '#core/oid4vp/presentation-submission.ts'
import { type DialectEntry, isList, isText } from './dialect-entry.ts'

const requestClause = 'profile/verifier, Presentation request'
const query = 'dcql_query.credentials.*'
const byQuery = 'dcql_query defines what is requested; presentation_definition is not supported'
const ownClientId = 'client_id is the identifier of the verifier itself, without a prefix'
const directPost = 'response_mode is always direct_post'

const beginsWith = (prefixes: readonly string[]) => (value: unknown) =>
  isText(value) && prefixes.some((prefix) => value.startsWith(prefix))
const isOneOf = (values: readonly string[]) => (value: unknown) =>
  isText(value) && values.includes(value)
const isJsonPath = (path: unknown) => isList(path) && path.every(beginsWith(['$']))

/** The presentation request, by revision. */
export const authorizationRequestDialect: readonly DialectEntry[] = [
  { path: 'dcql_query', follows: 'OpenID4VP 1.0 (draft 22 and later)', clause: requestClause },
  ...['presentation_definition', 'presentation_definition_uri'].map((path) => ({
    path,
    follows: 'OpenID4VP up to draft 25, removed in 1.0',
    documents: byQuery,
    clause: requestClause,
  })),
  {
    path: 'scope',
    follows: 'OpenID4VP, draft 13 and later',
    documents: 'dcql_query defines what is requested',
    clause: requestClause,
    show: true,
  },
  {
    path: 'client_id_scheme',
    follows: 'OpenID4VP drafts 16 to 21',
    documents: ownClientId,
    clause: requestClause,
    show: true,
  },
  {
    path: 'client_id',
    form: beginsWith(['redirect_uri:', 'x509_san_dns:', 'verifier_attestation:']),
    follows: 'OpenID4VP 1.0 (draft 22 and later)',
    documents: ownClientId,
    clause: `OpenID4VP 1.0, 5.9; ${requestClause}`,
    show: true,
  },
  {
    path: 'client_id',
    form: beginsWith(['decentralized_identifier:', 'openid_federation:', 'x509_hash:']),
    follows: 'OpenID4VP 1.0',
    documents: ownClientId,
    clause: `OpenID4VP 1.0, 5.9; ${requestClause}`,
    show: true,
  },
  {
    path: 'response_type',
    form: (type) => type !== 'vp_token',
    follows: 'OpenID4VP, every revision',
    documents: 'response_type is always vp_token',
    clause: requestClause,
    show: true,
  },
  {
    path: 'response_mode',
    form: isOneOf(['direct_post.jwt']),
    follows: 'OpenID4VP draft 16 and later',
    documents: directPost,
    clause: requestClause,
    show: true,
  },
  {
    path: 'response_mode',
    form: isOneOf(['dc_api', 'dc_api.jwt']),
    follows: 'OpenID4VP 1.0 (draft 23 and later)',
    documents: directPost,
    clause: requestClause,
    show: true,
  },
  {
    path: 'response_mode',
    form: isOneOf(['fragment', 'query', 'form_post']),
    follows: 'OpenID4VP, every revision',
    documents: directPost,
    clause: requestClause,
    show: true,
  },
  {
    path: 'request_uri_method',
    follows: 'OpenID4VP 1.0 (draft 21 and later)',
    documents: 'the wallet fetches request_uri with GET and does not post to it',
    clause: `OpenID4VP 1.0, 5.10; ${requestClause}`,
    show: true,
  },
  {
    path: 'client_metadata_uri',
    follows: 'OpenID4VP up to draft 20',
    documents: 'a request contains the query and the response address, without additional metadata',
    clause: requestClause,
  },
  {
    path: 'client_metadata.vp_formats',
    follows: 'OpenID4VP drafts, removed in 1.0',
    documents: 'suites are declared in cryptographic_suites_supported',
    clause: 'profile/wallet, Keys',
  },
  {
    path: 'client_metadata.vp_formats_supported',
    follows: 'OpenID4VP 1.0',
    clause: 'OpenID4VP 1.0, 11.1',
  },
  ...Object.entries({
    transaction_data: 'OpenID4VP 1.0 (draft 22 and later)',
    verifier_attestations: 'OpenID4VP drafts 26 to 28',
    verifier_info: 'OpenID4VP 1.0 (draft 29 and later)',
  }).map(([path, follows]) => ({
    path,
    follows,
    documents: 'the profile does not define this parameter',
    clause: requestClause,
  })),
  {
    path: `${query}.format`,
    form: (format) => format !== presentedFormat,
    follows: 'OpenID4VP 1.0 (draft 22 and later)',
    documents: `format is always ${presentedFormat}`,
    clause: requestClause,
    show: true,
  },
  {
    path: `${query}.meta.vct_values`,
    follows: 'The profile (in OpenID4VP only for SD-JWT credentials)',
    clause: requestClause,
  },
  {
    path: `${query}.meta.type_values`,
    follows: 'OpenID4VP 1.0',
    documents: 'vct_values lists the accepted types',
    clause: `OpenID4VP 1.0, B.1.1; ${requestClause}`,
  },
  {
    path: `${query}.claims.*.path`,
    form: isJsonPath,
    follows: 'Only the profile',
    clause: requestClause,
  },
  {
    path: `${query}.claims.*.path`,
    form: (path) => !isJsonPath(path),
    follows: 'OpenID4VP 1.0 (draft 22 and later)',
    documents: 'path is a list of JSONPath expressions, such as $.vc.credentialSubject.mandate',
    clause: `OpenID4VP 1.0, 7; ${requestClause}`,
    show: true,
  },
  ...Object.entries({
    claim_sets: 'OpenID4VP 1.0 (draft 22 and later)',
    trusted_authorities: 'OpenID4VP 1.0 (draft 25 and later)',
    multiple: 'OpenID4VP 1.0 (draft 25 and later)',
  }).map(([member, follows]) => ({
    path: `${query}.${member}`,
    follows,
    documents: 'an element has id, format, meta and claims',
    clause: requestClause,
  })),
  {
    path: 'dcql_query.credential_sets',
    follows: 'OpenID4VP 1.0 (draft 22 and later)',
    documents: 'dcql_query contains only credentials',
    clause: requestClause,
  },
]

const clause = 'profile/verifier, Response endpoint'
const submission = 'profile/verifier, Presentation submission'
const oneToken = 'vp_token is a single presentation JWT'

/** What a wallet posts, by revision. */
export const presentationResponseDialect: readonly DialectEntry[] = [
  {
    path: 'vp_token',
    form: isText,
    follows: 'OpenID4VP up to draft 25, removed in 1.0',
    clause,
  },
  {
    path: 'vp_token',
    form: isJsonObject,
    follows: 'OpenID4VP 1.0 (draft 22 and later)',
    documents: oneToken,
    clause: `OpenID4VP 1.0, 8.1; ${clause}`,
  },
  {
    path: 'vp_token',
    form: isList,
    follows: 'OpenID4VP up to draft 25, removed in 1.0',
    documents: oneToken,
    clause,
  },
  {
    path: 'presentation_submission',
    follows: 'OpenID4VP up to draft 25, removed in 1.0',
    clause: submission,
  },
  {
    path: 'presentation_submission.definition_id',
    form: (id) => id !== submissionDefinitionId,
    follows: 'OpenID4VP up to draft 25, removed in 1.0',
    documents: `definition_id is the string ${submissionDefinitionId}`,
    clause: submission,
    show: true,
  },
  {
    path: 'response',
    follows: 'OpenID4VP draft 14 and later',
    documents: 'vp_token and presentation_submission are form fields, not encrypted',
    clause,
  },
  {
    path: 'id_token',
    follows: 'OpenID4VP with SIOPv2, every revision',
    documents: 'response_type is always vp_token',
    clause: 'profile/verifier, Presentation request',
  },
]
