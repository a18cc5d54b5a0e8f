import { type DialectEntry, isList, isObject } from '../dialect-entry.ts'

const clause = 'Document 1, Endpoints an issuer exposes to the wallet'
const theJwt = 'credential is the JWT itself, with format beside it'

const isListOfEntries = (credentials: unknown) => isList(credentials) && credentials.every(isObject)

/** The answer of the credential endpoint and of the deferred one, by revision. */
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
    documents: 'acceptance_token names the credential that is not ready',
    clause: `OpenID4VCI 1.0, 8.3; ${clause}`,
  },
  {
    path: 'interval',
    follows: 'OpenID4VCI 1.0 (draft 16 and later)',
    documents: 'the wallet polls periodically, at a pace of its own',
    clause,
    show: true,
  },
  { path: 'c_nonce', follows: 'OpenID4VCI up to draft 14', clause },
  { path: 'c_nonce_expires_in', follows: 'OpenID4VCI up to draft 14', clause },
  {
    path: 'notification_id',
    follows: 'OpenID4VCI 1.0 (draft 13 and later)',
    documents: 'wallets notify nobody',
    clause,
  },
  {
    path: 'error',
    form: (error) => error === 'issuance_pending',
    follows: 'OpenID4VCI drafts 12 to 15',
    documents: 'HTTP 202 says that the credential is not ready',
    clause: 'Document 1, States and transitions',
    show: true,
  },
]
