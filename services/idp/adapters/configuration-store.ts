import type { Kysely } from 'kysely'
import { digest } from '#kit/secrets.ts'
import type { IdpTables } from '../tables.ts'

/**
 * Copies an entry of the configuration to the database if it is new or has changed since the last
 * copy. Otherwise changes in the admin panel stay, including its deletion.
 * @param entry names the entry, for example `client:relying-party`
 * @param value the configured value, JSON-serializable
 */
export async function applyConfiguration(
  database: Kysely<IdpTables>,
  entry: string,
  value: unknown,
  apply: (database: Kysely<IdpTables>) => Promise<unknown>,
): Promise<void> {
  const wanted = digest(JSON.stringify(value))
  await database.transaction().execute(async (transaction) => {
    const known = await transaction
      .selectFrom('applied_configuration')
      .select('digest')
      .where('entry', '=', entry)
      .executeTakeFirst()
    if (known?.digest === wanted) return
    await apply(transaction)
    await transaction
      .insertInto('applied_configuration')
      .values({ entry, digest: wanted })
      .onConflict((conflict) => conflict.column('entry').doUpdateSet({ digest: wanted }))
      .execute()
  })
}
