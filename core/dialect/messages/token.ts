import type { DialectEntry } from '../dialect-entry.ts'

const clause = 'Document 1, Endpoints an issuer exposes to the wallet'
const authorizationDetails: DialectEntry = {
  path: 'authorization_details',
  follows: 'OpenID4VCI draft 12 and later',
  documents: 'the access token is for whatever the offer named',
  clause,
}

/** The token request, by revision. */
export const tokenRequestDialect: readonly DialectEntry[] = [
  {
    path: 'user_pin',
    follows: 'OpenID4VCI up to draft 12',
    documents: 'tx_code carries the PIN',
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
