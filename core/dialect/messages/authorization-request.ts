import { presentedFormat } from '#core/oid4vp/dcql-query/z-dcql-query.ts'
import { type DialectEntry, isList, isText } from '../dialect-entry.ts'

const clause = 'Document 1, Presentation authorization_request'
const query = 'dcql_query.credentials.*'
const byQuery = 'dcql_query says what is asked for; presentation_definition is unsupported'
const ownClientId = 'client_id is the identifier of the verifier itself, without a prefix'
const directPost = 'response_mode is always direct_post'

const beginsWith = (prefixes: readonly string[]) => (value: unknown) =>
  isText(value) && prefixes.some((prefix) => value.startsWith(prefix))
const isOneOf = (values: readonly string[]) => (value: unknown) =>
  isText(value) && values.includes(value)
const isJsonPath = (path: unknown) => isList(path) && path.every(beginsWith(['$']))

/** The presentation request, by revision. */
export const authorizationRequestDialect: readonly DialectEntry[] = [
  { path: 'dcql_query', follows: 'OpenID4VP 1.0 (draft 22 and later)', clause },
  ...['presentation_definition', 'presentation_definition_uri'].map((path) => ({
    path,
    follows: 'OpenID4VP up to draft 25, gone in 1.0',
    documents: byQuery,
    clause,
  })),
  {
    path: 'scope',
    follows: 'OpenID4VP, draft 13 and later',
    documents: 'dcql_query says what is asked for',
    clause,
    show: true,
  },
  {
    path: 'client_id_scheme',
    follows: 'OpenID4VP drafts 16 to 21',
    documents: ownClientId,
    clause,
    show: true,
  },
  {
    path: 'client_id',
    form: beginsWith(['redirect_uri:', 'x509_san_dns:', 'verifier_attestation:']),
    follows: 'OpenID4VP 1.0 (draft 22 and later)',
    documents: ownClientId,
    clause: `OpenID4VP 1.0, 5.9; ${clause}`,
    show: true,
  },
  {
    path: 'client_id',
    form: beginsWith(['decentralized_identifier:', 'openid_federation:', 'x509_hash:']),
    follows: 'OpenID4VP 1.0',
    documents: ownClientId,
    clause: `OpenID4VP 1.0, 5.9; ${clause}`,
    show: true,
  },
  {
    path: 'response_type',
    form: (type) => type !== 'vp_token',
    follows: 'OpenID4VP, every revision',
    documents: 'response_type is always vp_token',
    clause,
    show: true,
  },
  {
    path: 'response_mode',
    form: isOneOf(['direct_post.jwt']),
    follows: 'OpenID4VP draft 16 and later',
    documents: directPost,
    clause,
    show: true,
  },
  {
    path: 'response_mode',
    form: isOneOf(['dc_api', 'dc_api.jwt']),
    follows: 'OpenID4VP 1.0 (draft 23 and later)',
    documents: directPost,
    clause,
    show: true,
  },
  {
    path: 'response_mode',
    form: isOneOf(['fragment', 'query', 'form_post']),
    follows: 'OpenID4VP, every revision',
    documents: directPost,
    clause,
    show: true,
  },
  {
    path: 'request_uri_method',
    follows: 'OpenID4VP 1.0 (draft 21 and later)',
    documents: 'the wallet fetches request_uri, and posts nothing to it',
    clause: `OpenID4VP 1.0, 5.10; ${clause}`,
    show: true,
  },
  {
    path: 'client_metadata_uri',
    follows: 'OpenID4VP up to draft 20',
    documents: 'a request names what it asks for, and whom to answer',
    clause,
  },
  {
    path: 'client_metadata.vp_formats',
    follows: 'OpenID4VP drafts, gone in 1.0',
    documents: 'suites are declared in cryptographic_suites_supported',
    clause: 'Document 1, Supported curves',
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
    documents: 'the document has no such parameter',
    clause,
  })),
  {
    path: `${query}.format`,
    form: (format) => format !== presentedFormat,
    follows: 'OpenID4VP 1.0 (draft 22 and later)',
    documents: `format is always ${presentedFormat}`,
    clause,
    show: true,
  },
  {
    path: `${query}.meta.vct_values`,
    follows: 'Document 1 (OpenID4VP has it for SD-JWT credentials alone)',
    clause,
  },
  {
    path: `${query}.meta.type_values`,
    follows: 'OpenID4VP 1.0',
    documents: 'vct_values lists the accepted types',
    clause: `OpenID4VP 1.0, B.1.1; ${clause}`,
  },
  {
    path: `${query}.claims.*.path`,
    form: isJsonPath,
    follows: 'Document 1 alone',
    clause,
  },
  {
    path: `${query}.claims.*.path`,
    form: (path) => !isJsonPath(path),
    follows: 'OpenID4VP 1.0 (draft 22 and later)',
    documents: 'path is a list of JSONPath texts, such as $.vc.credentialSubject.mandate',
    clause: `OpenID4VP 1.0, 7; ${clause}`,
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
    clause,
  })),
  {
    path: 'dcql_query.credential_sets',
    follows: 'OpenID4VP 1.0 (draft 22 and later)',
    documents: 'dcql_query has credentials alone',
    clause,
  },
]
