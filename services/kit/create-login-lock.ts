import { type Kysely, sql } from 'kysely'
import type { Migration } from 'kysely/migration'
import { createPurge } from './database.ts'
import type { Clock } from './runtime.ts'
import { digest } from './secrets.ts'

/** Failed logins, by address and by account and address. */
interface LoginFailureTable {
  /** Digest of the account and address that the row counts for. The account need not exist. */
  key_digest: string
  failures: number
  failed_at: number
  /** Attempts before this time are rejected unchecked. */
  blocked_until: number
}

export interface LoginLockTables {
  login_failures: LoginFailureTable
}

/** Creates {@link LoginLockTables} and drops the table that a service counted in before. */
export const loginLockMigration = (replaced: string): Migration => ({
  async up(database: Kysely<unknown>): Promise<void> {
    await database.schema.dropTable(replaced).execute()
    await sql`create table login_failures (
      key_digest text primary key, failures integer not null, failed_at bigint not null,
      blocked_until bigint not null
    )`.execute(database)
  },
})

interface DelayPolicy {
  /** From this failure on, the next attempt must wait. */
  readonly free: number
  /** Seconds to wait after that failure. They double with each further failure. */
  readonly first: number
  /** Maximum wait in seconds. */
  readonly longest: number
}

export interface LoginLockPolicy {
  /** Seconds without a failure after which earlier failures are forgotten. No wait is longer. */
  readonly memory: number
  /** For the failures of one account at one address. */
  readonly account: DelayPolicy
  /** For the failures of one address with all accounts. Several users may share an address. */
  readonly address: DelayPolicy
}

interface LoginAttempt {
  readonly username: string
  readonly address: string
}

export interface LoginLock {
  /**
   * Counts an attempt as failed until {@link clear} reverts it. Returns 0 if the password may be
   * checked, otherwise the seconds to wait; such an attempt does not count.
   */
  admit(attempt: LoginAttempt): Promise<number>
  /** Called after a correct password: forgets the failures of this account at this address. */
  clear(attempt: LoginAttempt): Promise<void>
}

/** Maximum number of rows after a purge, which deletes the oldest first. */
const mostRows = 10_000

/**
 * Slows down password guessing. Failures count against the address they come from, so that an
 * attacker cannot lock out the account's owner. The counts are in the database and survive a
 * restart. An attempt counts before its password is checked, so that parallel attempts gain nothing
 * over sequential ones. Existing and unknown names behave the same.
 *
 * @assumption A-71 the address is the one of the socket
 */
export function createLoginLock(
  database: Kysely<LoginLockTables>,
  clock: Clock,
  policy: LoginLockPolicy,
): LoginLock {
  const { memory } = policy
  const purge = createPurge(clock, (now) =>
    database
      .deleteFrom('login_failures')
      .where(({ eb, or, selectFrom }) =>
        or([
          eb('failed_at', '<', now - memory),
          eb(
            'key_digest',
            'not in',
            selectFrom('login_failures')
              .select('key_digest')
              .orderBy('failed_at', 'desc')
              .limit(mostRows),
          ),
        ]),
      )
      .execute(),
  )
  const accountKey = ({ username, address }: LoginAttempt) =>
    digest(`account:${address} ${username}`)
  const addressKey = ({ address }: LoginAttempt) => digest(`address:${address}`)

  const look = async (key: string, { longest }: DelayPolicy) => {
    const now = clock.seconds()
    const known = await database
      .selectFrom('login_failures')
      .selectAll()
      .where('key_digest', '=', key)
      .executeTakeFirst()
    // If the clock was set back, the wait still does not exceed the policy.
    const wait = Math.min(Math.max((known?.blocked_until ?? 0) - now, 0), longest)
    return { now, known, wait }
  }

  /** Counts a failure, unless the client must wait; then returns the seconds. */
  const count = async (key: string, delays: DelayPolicy): Promise<number> => {
    const { now, known, wait } = await look(key, delays)
    if (wait > 0) return wait
    const isFresh = known === undefined || known.failed_at < now - memory
    const failures = isFresh ? 1 : known.failures + 1
    const { free, first, longest } = delays
    const delay = failures < free ? 0 : Math.min(first * 2 ** (failures - free), longest)
    const values = { failures, failed_at: now, blocked_until: now + delay }
    const { numInsertedOrUpdatedRows } = await database
      .insertInto('login_failures')
      .values({ key_digest: key, ...values })
      .onConflict((conflict) =>
        conflict
          .column('key_digest')
          .doUpdateSet(values)
          .where('login_failures.failures', '=', known?.failures ?? 0),
      )
      .executeTakeFirstOrThrow()
    // Another attempt came first. Each round admits one, until all others must wait.
    return numInsertedOrUpdatedRows === 1n ? 0 : count(key, delays)
  }

  /** Removes attempts of an address from the count, and unblocks it if few enough are left. */
  const undo = (attempt: LoginAttempt, attempts: number) =>
    database
      .updateTable('login_failures')
      .set(({ eb, ref }) => ({
        failures: eb(ref('failures'), '-', attempts),
        blocked_until: eb
          .case()
          .when('failures', '<', policy.address.free + attempts)
          .then(0)
          .else(ref('blocked_until'))
          .end(),
      }))
      .where('key_digest', '=', addressKey(attempt))
      .where('failures', '>=', attempts)
      .execute()

  return {
    async admit(attempt) {
      await purge()
      const known = await look(accountKey(attempt), policy.account)
      if (known.wait > 0) return known.wait
      const addressWait = await count(addressKey(attempt), policy.address)
      if (addressWait > 0) return addressWait
      const accountWait = await count(accountKey(attempt), policy.account)
      if (accountWait > 0) await undo(attempt, 1)
      return accountWait
    },
    async clear(attempt) {
      const removed = await database
        .deleteFrom('login_failures')
        .where('key_digest', '=', accountKey(attempt))
        .returning('failures')
        .executeTakeFirst()
      if (removed !== undefined) await undo(attempt, removed.failures)
    },
  }
}
