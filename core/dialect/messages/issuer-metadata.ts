import { type DialectEntry, isList, isObject } from '../dialect-entry.ts'

const clause = 'Document 1, Issuer metadata'
const endpoints = 'Document 1, Endpoints an issuer exposes to the wallet'

/** What each entry of the credentials of an issuer says, wherever the entries are. */
const entriesAt = (list: string): readonly DialectEntry[] => [
  { path: `${list}.*.types`, follows: 'OpenID4VCI up to draft 11', clause },
  {
    path: `${list}.*.credential_definition`,
    follows: 'OpenID4VCI draft 12 and later',
    documents: 'types stands in the entry itself',
    clause,
  },
  {
    path: `${list}.*.cryptographic_suites_supported`,
    follows: 'OpenID4VCI up to draft 12',
    clause,
  },
  {
    path: `${list}.*.credential_signing_alg_values_supported`,
    follows: 'OpenID4VCI 1.0 (draft 13 and later)',
    documents: 'cryptographic_suites_supported names the suites',
    clause,
  },
  {
    path: `${list}.*.proof_types_supported`,
    follows: 'OpenID4VCI 1.0 (draft 13 and later)',
    documents: 'proofs are JWTs, with one of cryptographic_suites_supported',
    clause,
  },
  {
    path: `${list}.*.credential_metadata`,
    follows: 'OpenID4VCI 1.0 (draft 16 and later)',
    documents: 'an entry has format, id, types, binding methods and suites',
    clause,
  },
]

/** The metadata of a credential issuer, by revision. */
export const issuerMetadataDialect: readonly DialectEntry[] = [
  {
    path: 'credentials_supported',
    form: isList,
    follows: 'OpenID4VCI up to draft 11',
    clause,
  },
  {
    path: 'credentials_supported',
    form: isObject,
    follows: 'OpenID4VCI draft 12',
    documents: 'credentials_supported is a list, each entry with its id',
    clause,
  },
  {
    path: 'credential_configurations_supported',
    follows: 'OpenID4VCI 1.0 (draft 13 and later)',
    documents: 'credentials_supported is a list, each entry with its id',
    clause: `OpenID4VCI 1.0, 12.2.4; ${clause}`,
  },
  ...entriesAt('credentials_supported'),
  ...entriesAt('credential_configurations_supported'),
  {
    path: 'nonce_endpoint',
    follows: 'OpenID4VCI 1.0 (draft 15 and later)',
    documents: 'the c_nonce comes with the token response',
    clause: `OpenID4VCI 1.0, 7; ${endpoints}`,
  },
  {
    path: 'notification_endpoint',
    follows: 'OpenID4VCI 1.0 (draft 13 and later)',
    documents: 'wallets notify nobody',
    clause: endpoints,
  },
  {
    path: 'batch_credential_endpoint',
    follows: 'OpenID4VCI drafts 9 to 13',
    documents: 'each credential is a request of its own',
    clause: endpoints,
  },
  {
    path: 'batch_credential_issuance',
    follows: 'OpenID4VCI 1.0 (draft 14 and later)',
    documents: 'each credential is a request of its own',
    clause: endpoints,
  },
  {
    path: 'authorization_server',
    follows: 'OpenID4VCI drafts 10 and 11',
    documents: "the token endpoint is the issuer's own",
    clause: endpoints,
  },
  {
    path: 'authorization_servers',
    follows: 'OpenID4VCI draft 12 and later',
    documents: "the token endpoint is the issuer's own",
    clause: endpoints,
  },
  {
    path: 'signed_metadata',
    follows: 'OpenID4VCI drafts 13 to 15',
    documents: 'metadata is plain JSON',
    clause,
  },
]
