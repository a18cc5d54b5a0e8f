import type { Kysely } from 'kysely'
import { loginStatus } from '../domain/login-status.ts'
import type { IdpTables } from '../tables.ts'

/** How many sessions stand how. */
export async function countLogins(
  database: Kysely<IdpTables>,
  now: number,
): Promise<Readonly<Record<'PENDING' | 'SUCCESS' | 'FAILED', number>>> {
  const rows = await database
    .selectFrom('logins')
    .select(({ fn, case: when }) => [
      'status',
      when().when('expires_at', '<=', now).then(1).else(0).end().as('over'),
      fn.countAll<number>().as('count'),
    ])
    .groupBy(['status', 'over'])
    .execute()
  const counts = { PENDING: 0, SUCCESS: 0, FAILED: 0 }
  for (const { status, over, count } of rows) {
    counts[loginStatus({ status, expires_at: over === 1 ? now : now + 1 }, now)] += Number(count)
  }
  return counts
}
