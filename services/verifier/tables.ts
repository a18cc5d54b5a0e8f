import { type Generated, type Kysely, sql } from 'kysely'
import type { Migration } from 'kysely/migration'

export type SessionStatus = 'PENDING' | 'SUCCESS' | 'FAILED'

/** A verification session. Times are Unix seconds unless they are marked as milliseconds. */
export interface SessionTable {
  /** Known only to the IDP. */
  session_id: string
  /** In request_uri and response_uri, so known to the wallet. */
  request_id: string
  nonce: string
  state: string
  credential_type: string
  /** Where the wallet redirects its holder afterwards; null if it does not. */
  redirect_uri: string | null
  status: SessionStatus
  created_at: number
  expires_at: number
  decided_at: number | null
  /** The verdict for the IDP, as JSON. */
  verdict: string | null
  /** Results and lookups as JSON, for the operator. */
  explanation: string | null
  /** Null until the IDP confirms the verdict. */
  reported_at: number | null
  report_attempts: Generated<number>
}

export interface VerifierTables {
  verification_sessions: SessionTable
}

const sessions: Migration = {
  async up(database: Kysely<unknown>): Promise<void> {
    const { schema } = database
    await sql`create table verification_sessions (
      session_id text primary key, request_id text not null unique, nonce text not null,
      state text not null, credential_type text not null, redirect_uri text,
      response_code text not null, status text not null, created_at bigint not null,
      expires_at bigint not null, decided_at bigint, verdict text, explanation text,
      reported_at bigint, report_attempts integer not null default 0
    )`.execute(database)
    for (const column of ['created_at', 'reported_at']) {
      await schema
        .createIndex(`verification_sessions_${column}`)
        .on('verification_sessions')
        .column(column)
        .execute()
    }
  },
}

/** The code is derived from the session: see `responseCodeOf`. */
const dropResponseCodes: Migration = {
  async up({ schema }: Kysely<unknown>): Promise<void> {
    await schema.alterTable('verification_sessions').dropColumn('response_code').execute()
  },
}

export const migrations = {
  '0001-sessions': sessions,
  '0002-response-codes': dropResponseCodes,
}
