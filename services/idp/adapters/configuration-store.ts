import type { Kysely } from 'kysely'
import { digest } from '#kit/secrets.ts'
import type { IdpTables } from '../tables.ts'

/**
 * Takes an entry of the configuration over into the database where it is new, or has changed since
 * it was taken over last. Otherwise what was done to it in the admin panel stays, its deletion
 * included.
 * @param entry names it, for example `client:relying-party`
 * @param value what the configuration says, JSON-serializable
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
