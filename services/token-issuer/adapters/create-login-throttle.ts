import { type Kysely, sql } from 'kysely'
import type { Clock } from '#kit/clock.ts'
import { digest } from '#kit/digest.ts'
import type { TokenIssuerTables } from '../tables.ts'

const windowSeconds = 60
const allowedFailures = 10

export interface LoginThrottle {
  /**
   * Counts an attempt as failed until it is known better. False where too many have failed for that
   * name, whether it exists or not.
   */
  admit(username: string): Promise<boolean>
  /** The password was right: the attempts before are forgotten. */
  clear(username: string): Promise<void>
}

/**
 * Bounds how fast passwords can be guessed for one name: 10 failures a minute. An attempt counts
 * before its password is looked at, so that many at once get no further than one after the other.
 */
export function createLoginThrottle(
  database: Kysely<TokenIssuerTables>,
  clock: Clock,
): LoginThrottle {
  return {
    async admit(username) {
      const now = clock.seconds()
      const name = digest(username)
      await database
        .deleteFrom('failed_logins')
        .where('failed_at', '<=', now - windowSeconds)
        .execute()
      const { numInsertedOrUpdatedRows } = await database
        .insertInto('failed_logins')
        .columns(['username_digest', 'failed_at'])
        .expression(
          database
            .selectNoFrom([
              // PostgreSQL takes a bare parameter for text here.
              sql<string>`cast(${name} as text)`.as('name'),
              sql<number>`cast(${now} as bigint)`.as('at'),
            ])
            .where(
              ({ selectFrom }) =>
                selectFrom('failed_logins')
                  .select(({ fn }) => fn.countAll().as('failures'))
                  .where('username_digest', '=', name),
              '<',
              allowedFailures,
            ),
        )
        .executeTakeFirstOrThrow()
      return numInsertedOrUpdatedRows === 1n
    },
    async clear(username) {
      await database
        .deleteFrom('failed_logins')
        .where('username_digest', '=', digest(username))
        .execute()
    },
  }
}
