import type { Kysely } from 'kysely'
import type { Clock } from '#kit/clock.ts'
import { createPurge } from '#kit/create-purge.ts'
import { digest } from '#kit/digest.ts'
import {
  accountPolicy,
  addressPolicy,
  type DelayPolicy,
  loginDelay,
} from '../admin/domain/login-delay.ts'
import type { IdpTables } from '../tables.ts'

export interface LoginAttempt {
  readonly username: string
  readonly address: string
}

export interface LoginLock {
  /**
   * Counts an attempt as failed until it is known better. Seconds to wait where its account or its
   * address is locked out, in which case it is not counted; 0 where the password may be looked at.
   */
  admit(attempt: LoginAttempt): Promise<number>
  /** The password was right: the account's failures are forgotten, the address's one taken back. */
  clear(attempt: LoginAttempt): Promise<void>
}

/** Failures are forgotten after a day without another one. */
const memorySeconds = 86_400

/**
 * Locks out who guesses passwords: with each failure of an account, and of an address, the time
 * doubles in which no further attempt is looked at. It is in the database, so that it outlives a
 * restart, and counts before the password is looked at: many attempts at once get no further than
 * one after the other.
 */
export function createLoginLock(database: Kysely<IdpTables>, clock: Clock): LoginLock {
  const purge = createPurge(clock, (now) =>
    database
      .deleteFrom('admin_login_failures')
      .where('failed_at', '<', now - memorySeconds)
      .execute(),
  )

  const count = async (key: string, policy: DelayPolicy): Promise<number> => {
    const now = clock.seconds()
    const key_digest = digest(key)
    const known = await database
      .selectFrom('admin_login_failures')
      .selectAll()
      .where('key_digest', '=', key_digest)
      .executeTakeFirst()
    if (known !== undefined && known.blocked_until > now) {
      // A clock that was set back must not lock anybody out for longer than any delay is.
      return Math.min(known.blocked_until - now, policy.longest)
    }
    const isFresh = known === undefined || known.failed_at < now - memorySeconds
    const failures = isFresh ? 1 : known.failures + 1
    const values = { failures, failed_at: now, blocked_until: now + loginDelay(failures, policy) }
    const { numInsertedOrUpdatedRows } = await database
      .insertInto('admin_login_failures')
      .values({ key_digest, ...values })
      .onConflict((conflict) =>
        conflict
          .column('key_digest')
          .doUpdateSet(values)
          // Another attempt that came in between has the turn.
          .where('admin_login_failures.failures', '=', known?.failures ?? 0),
      )
      .executeTakeFirstOrThrow()
    return numInsertedOrUpdatedRows === 1n ? 0 : 1
  }

  return {
    async admit({ username, address }) {
      await purge()
      const wait = await count(`address:${address}`, addressPolicy)
      return wait > 0 ? wait : count(`account:${username}`, accountPolicy)
    },
    async clear({ username, address }) {
      await database
        .deleteFrom('admin_login_failures')
        .where('key_digest', '=', digest(`account:${username}`))
        .execute()
      await database
        .updateTable('admin_login_failures')
        .set(({ eb, ref }) => ({ failures: eb(ref('failures'), '-', 1), blocked_until: 0 }))
        .where('key_digest', '=', digest(`address:${address}`))
        .where('failures', '>', 0)
        .execute()
    },
  }
}
