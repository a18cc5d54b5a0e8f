import type { Kysely, Selectable } from 'kysely'
import { createPurge } from '#kit/database.ts'
import type { Clock } from '#kit/runtime.ts'
import { randomToken } from '#kit/secrets.ts'
import type { SessionStatus, SessionTable, VerifierTables } from '../tables.ts'

export type Session = Selectable<SessionTable>

interface NewSession {
  readonly credentialType: string
  readonly redirectUri?: string | undefined
  /** Seconds. */
  readonly expiresIn: number
}

export interface SessionStore {
  create(session: NewSession): Promise<Session>
  find(by: 'session_id' | 'request_id', value: string): Promise<Session | undefined>
  /**
   * Ends a pending session; returns false without a change if it has already ended or expired.
   */
  decide(
    sessionId: string,
    decision: {
      readonly status: Exclude<SessionStatus, 'PENDING'>
      readonly verdict: string
      readonly explanation: string
    },
  ): Promise<boolean>
  /** Sessions whose verdict the IDP has not confirmed but still needs. */
  listUnreported(): Promise<readonly Session[]>
  /** Counts an attempt to report; if it succeeded, ends the reporting. */
  countReport(sessionId: string, reported: boolean): Promise<void>
}

/**
 * Verification sessions in the database.
 *
 * @assumption A-30 finished sessions never change
 * @assumption A-36 codes of at least 128 random bits
 */
export function createSessionStore(
  database: Kysely<VerifierTables>,
  clock: Clock,
  retentionSeconds: number,
): SessionStore {
  const purge = createPurge(clock, (now) =>
    database
      .deleteFrom('verification_sessions')
      .where('created_at', '<', now - retentionSeconds)
      .execute(),
  )

  return {
    async create({ credentialType, redirectUri, expiresIn }) {
      await purge()
      const now = clock.seconds()
      return database
        .insertInto('verification_sessions')
        .values({
          session_id: randomToken(),
          request_id: randomToken(),
          nonce: randomToken(),
          state: randomToken(),
          credential_type: credentialType,
          redirect_uri: redirectUri ?? null,
          status: 'PENDING',
          created_at: now,
          expires_at: now + expiresIn,
        })
        .returningAll()
        .executeTakeFirstOrThrow()
    },

    find: (by, value) =>
      database
        .selectFrom('verification_sessions')
        .selectAll()
        .where(by, '=', value)
        .executeTakeFirst(),

    async decide(sessionId, { status, verdict, explanation }) {
      const now = clock.seconds()
      const { numUpdatedRows } = await database
        .updateTable('verification_sessions')
        .set({ status, verdict, explanation, decided_at: now })
        .where('session_id', '=', sessionId)
        .where('status', '=', 'PENDING')
        .where('expires_at', '>', now)
        .executeTakeFirst()
      return numUpdatedRows > 0n
    },

    listUnreported: () =>
      database
        .selectFrom('verification_sessions')
        .selectAll()
        .where('reported_at', 'is', null)
        .where('decided_at', 'is not', null)
        .where('expires_at', '>', clock.seconds())
        .limit(100)
        .execute(),

    async countReport(sessionId, reported) {
      await database
        .updateTable('verification_sessions')
        .set(({ eb }) => ({
          report_attempts: eb('report_attempts', '+', 1),
          ...(reported ? { reported_at: clock.seconds() } : {}),
        }))
        .where('session_id', '=', sessionId)
        .execute()
    },
  }
}
