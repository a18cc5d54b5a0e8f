import type { Generated } from 'kysely'

export type SessionStatus = 'PENDING' | 'SUCCESS' | 'FAILED'

/** A verification session. Times are Unix seconds, but for those in milliseconds that say so. */
export interface SessionTable {
  /** Known to the IDP alone. */
  session_id: string
  /** In request_uri and response_uri, so known to the wallet. */
  request_id: string
  nonce: string
  state: string
  credential_type: string
  /** Where the wallet sends its holder afterwards; null where it does not. */
  redirect_uri: string | null
  status: SessionStatus
  created_at: number
  expires_at: number
  decided_at: number | null
  /** What the IDP is told, as JSON. */
  verdict: string | null
  /** What was found and fetched, as JSON, for the operator. */
  explanation: string | null
  /** Null as long as the IDP has not confirmed the verdict. */
  reported_at: number | null
  report_attempts: Generated<number>
}

export interface VerifierTables {
  verification_sessions: SessionTable
}
