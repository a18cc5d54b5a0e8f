import type { Kysely, Selectable } from 'kysely'
import { createPurge, prepareQuery } from '#kit/database.ts'
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

type NewRow = Pick<
  Session,
  | 'session_id'
  | 'request_id'
  | 'nonce'
  | 'state'
  | 'credential_type'
  | 'redirect_uri'
  | 'created_at'
  | 'expires_at'
>
type Decision = Pick<Session, 'session_id' | 'status'> & {
  readonly verdict: string
  readonly explanation: string
  readonly now: number
}
type Report = Pick<Session, 'session_id'> & { readonly reported_at?: number | undefined }

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
  /** Ends a pending session without a verdict: its lifetime is over now. */
  cancel(sessionId: string): Promise<void>
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

  const insert = prepareQuery(database, (row: NewRow) =>
    database
      .insertInto('verification_sessions')
      .values({ ...row, status: 'PENDING' })
      .returningAll(),
  )
  const findBy = (column: 'session_id' | 'request_id') =>
    prepareQuery(database, ({ value }: { value: string }) =>
      database.selectFrom('verification_sessions').selectAll().where(column, '=', value),
    )
  const find = { session_id: findBy('session_id'), request_id: findBy('request_id') }
  const end = prepareQuery(database, ({ session_id, now, ...decision }: Decision) =>
    database
      .updateTable('verification_sessions')
      .set({ ...decision, decided_at: now })
      .where('session_id', '=', session_id)
      .where('status', '=', 'PENDING')
      .where('expires_at', '>', now),
  )
  const cancel = prepareQuery(
    database,
    ({ session_id, now }: Pick<Session, 'session_id'> & { readonly now: number }) =>
      database
        .updateTable('verification_sessions')
        .set({ expires_at: now })
        .where('session_id', '=', session_id)
        .where('status', '=', 'PENDING')
        .where('expires_at', '>', now),
  )
  const countAttempt = prepareQuery(database, ({ session_id, ...changes }: Report) =>
    database
      .updateTable('verification_sessions')
      .set(({ eb }) => ({ report_attempts: eb('report_attempts', '+', 1), ...changes }))
      .where('session_id', '=', session_id),
  )

  return {
    async create({ credentialType, redirectUri, expiresIn }) {
      await purge()
      const now = clock.seconds()
      const session = await insert.first({
        session_id: randomToken(),
        request_id: randomToken(),
        nonce: randomToken(),
        state: randomToken(),
        credential_type: credentialType,
        redirect_uri: redirectUri ?? null,
        created_at: now,
        expires_at: now + expiresIn,
      })
      if (!session) throw new TypeError('a new session was not returned')
      return session
    },

    find: (by, value) => find[by].first({ value }),

    async decide(sessionId, { status, verdict, explanation }) {
      const now = clock.seconds()
      const ended = await end.change({ session_id: sessionId, status, verdict, explanation, now })
      return ended > 0
    },

    async cancel(session_id) {
      await cancel.change({ session_id, now: clock.seconds() })
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
      const reported_at = reported ? clock.seconds() : undefined
      await countAttempt.change({ session_id: sessionId, reported_at })
    },
  }
}
