import { randomUUID } from 'node:crypto'
import type { Kysely } from 'kysely'
import type { ApiKeysSchema } from './api-key-tables.ts'

/** A key of the configuration, by its hash. */
export interface ConfiguredKey {
  readonly name: string
  readonly scope: string
  readonly keyHash: string
}

export interface ApiKeyStore {
  /** Whether there is such a key and it is not revoked. */
  isActive(scope: string, keyHash: string): Promise<boolean>
  /**
   * Brings the keys of the configuration in and those that left it out. One that was revoked here
   * stays revoked as long as the configuration names it. `now` in Unix seconds.
   */
  applyConfiguration(keys: readonly ConfiguredKey[], now: number): Promise<void>
}

export function createApiKeyStore(database: Kysely<ApiKeysSchema>): ApiKeyStore {
  return {
    async isActive(scope, keyHash) {
      const row = await database
        .selectFrom('api_keys')
        .select('id')
        .where('scope', '=', scope)
        .where('key_hash', '=', keyHash)
        .where('revoked_at', 'is', null)
        .executeTakeFirst()
      return row !== undefined
    },
    applyConfiguration: (keys, now) =>
      database.transaction().execute(async (transaction) => {
        const known = await transaction
          .selectFrom('api_keys')
          .select(['id', 'scope', 'key_hash'])
          .where('source', '=', 'config')
          .execute()
        for (const { id, scope, key_hash } of known) {
          if (keys.some((key) => key.scope === scope && key.keyHash === key_hash)) continue
          await transaction.deleteFrom('api_keys').where('id', '=', id).execute()
        }
        for (const { name, scope, keyHash } of keys) {
          await transaction
            .insertInto('api_keys')
            .values({
              id: randomUUID(),
              name,
              scope,
              key_hash: keyHash,
              source: 'config',
              created_at: now,
              revoked_at: null,
            })
            .onConflict((conflict) => conflict.columns(['scope', 'key_hash']).doNothing())
            .execute()
        }
      }),
  }
}
