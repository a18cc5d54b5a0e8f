import type { Kysely } from 'kysely'
import { createPurge } from '#kit/database.ts'
import type { Clock } from '#kit/runtime.ts'
import { digest, randomToken } from '#kit/secrets.ts'
import type { IdpTables } from '../tables.ts'

export interface AdminSessionStore {
  /** Creates a session; returns the value of the browser's cookie. */
  create(username: string): Promise<string>
  /**
   * The session's account, if it is active; extends the session. Undefined if unknown or expired.
   */
  use(id: string): Promise<string | undefined>
  end(id: string): Promise<void>
  /** Ends all sessions of an account. */
  endAll(username: string): Promise<void>
}

export interface AdminSessionOptions {
  /** Seconds without a request after which a session expires. */
  readonly idle: number
  /** Seconds after which a session expires in any case. */
  readonly lifetime: number
}

/** Sessions of the admin panel, in the database under a digest of the cookie's value. */
export function createAdminSessionStore(
  database: Kysely<IdpTables>,
  clock: Clock,
  { idle, lifetime }: AdminSessionOptions,
): AdminSessionStore {
  const purge = createPurge(clock, (now) =>
    database
      .deleteFrom('admin_sessions')
      .where((where) =>
        where.or([
          where('created_at', '<=', now - lifetime),
          where('last_seen_at', '<=', now - idle),
        ]),
      )
      .execute(),
  )
  return {
    async create(username) {
      await purge()
      const id = randomToken()
      const now = clock.seconds()
      await database
        .insertInto('admin_sessions')
        .values({ id_digest: digest(id), username, created_at: now, last_seen_at: now })
        .execute()
      return id
    },
    async use(id) {
      const now = clock.seconds()
      const session = await database
        .updateTable('admin_sessions')
        .set({ last_seen_at: now })
        .where('id_digest', '=', digest(id))
        .where('created_at', '>', now - lifetime)
        .where('last_seen_at', '>', now - idle)
        .returning('username')
        .executeTakeFirst()
      return session?.username
    },
    async end(id) {
      await database.deleteFrom('admin_sessions').where('id_digest', '=', digest(id)).execute()
    },
    async endAll(username) {
      await database.deleteFrom('admin_sessions').where('username', '=', username).execute()
    },
  }
}
