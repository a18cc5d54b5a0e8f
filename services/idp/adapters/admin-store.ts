import { createHmac } from 'node:crypto'
import type { Kysely } from 'kysely'
import { createPurge } from '#kit/database.ts'
import type { Clock, Snapshots } from '#kit/runtime.ts'
import { createPasswordHash, digest, randomToken, verifyPassword } from '#kit/secrets.ts'
import type { AdminConfig } from '../config.ts'
import type { IdpTables } from '../tables.ts'
import { applyConfiguration } from './configuration-store.ts'

export interface AdminAccountStore {
  /** Verifies the account's password; takes equally long if there is no such account. */
  authenticate(username: string, password: string): Promise<boolean>
  changePassword(username: string, password: string): Promise<void>
  /** Waits for pending work. */
  close(): Promise<void>
}

export interface AdminAccountOptions {
  readonly database: Kysely<IdpTables>
  readonly clock: Clock
  readonly snapshots: Snapshots
  /** The account that exists from the first start on. */
  readonly initial: AdminConfig | undefined
  /**
   * Without it, an attacker with the database cannot try passwords on the digest of the
   * configuration.
   */
  readonly key: string
}

/**
 * The administrator's account, in the database with a hash of its password. A new or changed
 * account in the configuration replaces it; otherwise a password changed in the panel stays.
 */
export function createAdminAccountStore(options: AdminAccountOptions): AdminAccountStore {
  const { database, clock, snapshots, initial, key } = options

  const seed = async () => {
    if (initial === undefined) return
    const { username, password, passwordHash } = initial
    const value = createHmac('sha256', key)
      .update(JSON.stringify([username, password, passwordHash]))
      .digest('base64url')
    await applyConfiguration(database, 'admin', value, async (transaction) => {
      const hash = passwordHash ?? (await createPasswordHash(password ?? ''))
      await transaction.deleteFrom('admin_accounts').execute()
      await transaction.deleteFrom('admin_sessions').execute()
      await transaction
        .insertInto('admin_accounts')
        .values({ username, password_hash: hash, updated_at: clock.seconds() })
        .execute()
    })
  }
  // Not awaited at the start: the hash takes a moment, and a login waits for it.
  const seeded = seed()
  seeded.catch(() => {})
  snapshots.add({ settled: () => seeded })

  return {
    async authenticate(username, password) {
      await seeded
      const account = await database
        .selectFrom('admin_accounts')
        .select('password_hash')
        .where('username', '=', username)
        .executeTakeFirst()
      return verifyPassword(password, account?.password_hash)
    },
    async changePassword(username, password) {
      const hash = await createPasswordHash(password)
      await database
        .updateTable('admin_accounts')
        .set({ password_hash: hash, updated_at: clock.seconds() })
        .where('username', '=', username)
        .execute()
    },
    async close() {
      await seeded.catch(() => {})
    },
  }
}

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

interface AdminSessionOptions {
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
