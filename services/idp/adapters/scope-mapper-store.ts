import type { Kysely } from 'kysely'
import type { Clock } from '#kit/runtime.ts'
import { randomToken } from '#kit/secrets.ts'
import type { IdpTables } from '../tables.ts'
import { applyConfiguration } from './configuration-store.ts'

export interface ScopeMapperStore {
  /** Returns the saved mapper text of every scope that has one. */
  read(): Promise<ReadonlyMap<string, string>>
  /** Replaces a scope's mappers with validated text. */
  save(scope: string, mappers: string): Promise<void>
  /** Applies the configuration: see {@link applyConfiguration}. */
  seed(configured: Readonly<Record<string, readonly string[]>>): Promise<void>
}

/** The claims of the scopes, in the database. */
export function createScopeMapperStore(
  database: Kysely<IdpTables>,
  clock: Clock,
): ScopeMapperStore {
  const write = (db: Kysely<IdpTables>, scope: string, mappers: string) => {
    const columns = { mappers, revision: randomToken(16), updated_at: clock.seconds() }
    return db
      .insertInto('scope_mappers')
      .values({ scope, ...columns })
      .onConflict((conflict) => conflict.column('scope').doUpdateSet(columns))
      .execute()
  }

  return {
    async read() {
      const rows = await database
        .selectFrom('scope_mappers')
        .select(['scope', 'mappers'])
        .orderBy('scope')
        .execute()
      return new Map(rows.map(({ scope, mappers }) => [scope, mappers]))
    },
    async save(scope, mappers) {
      await write(database, scope, mappers)
    },
    async seed(configured) {
      for (const [scope, mappers] of Object.entries(configured)) {
        await applyConfiguration(database, `mappers:${scope}`, mappers, (transaction) =>
          write(transaction, scope, mappers.join('\n')),
        )
      }
    },
  }
}
