import type { OpenidTables } from '#kit/openid-provider/openid-tables.ts'
import type { AdminTables } from './admin/tables.ts'

/** One QR code of a browser's login, and what became of it. Times are Unix seconds. */
export interface LoginTable {
  /** Public: whoever has it can ask for the status, and nothing else. */
  session_code: string
  /** Digest of the login under way at oidc-provider, which its browser's cookie names. */
  interaction_uid: string
  /** Counts the QR codes of one login from 1. */
  attempt: number
  /** Whom the login is for; null where it was begun before that was written down. */
  client_id: string | null
  /** The session at the verification service. */
  verifier_session_id: string
  /** The openid4vp:// link. */
  authorization_request: string
  status: 'PENDING' | 'SUCCESS' | 'FAILED'
  created_at: number
  expires_at: number
  decided_at: number | null
  /** Digest of the one-time code in the address to which the wallet leads its holder. */
  response_code_digest: string | null
  /** The credential's `vc` claim as JSON, where it succeeded. */
  credential: string | null
  /** Rules that were broken, and services that did not answer, as JSON. */
  failures: string | null
}

/** The credential that a grant rests on: every token and userinfo answer of it is made from this. */
export interface GrantedCredentialTable {
  grant_id: string
  subject: string
  credential: string
  created_at: number
}

export interface IdpTables extends OpenidTables, AdminTables {
  logins: LoginTable
  granted_credentials: GrantedCredentialTable
}
