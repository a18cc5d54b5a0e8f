import { randomUUID } from 'node:crypto'
import type { Kysely } from 'kysely'
import type { ApiKeyRow, ApiKeysTables } from '../tables.ts'

/** A key without its state, by its hash. */
interface NewKey {
  readonly name: string
  readonly scope: string
  readonly keyHash: string
}

/** The public members of a key: everything but the key and its hash. Times are Unix seconds. */
type ApiKeyRecord = Omit<ApiKeyRow, 'key_hash'>

export interface ApiKeyStore {
  /** Stores a new key by its hash. */
  create(key: NewKey, now: number): Promise<ApiKeyRecord>
  /** A page of all keys, including revoked ones, in the order of their creation. */
  list(
    offset: number,
    limit: number,
  ): Promise<{ readonly total: number; readonly items: readonly ApiKeyRecord[] }>
  /** Revokes a key; a revoked key stays unchanged. Undefined if there is no such key. */
  revoke(id: string, now: number): Promise<ApiKeyRecord | undefined>
  /** Whether the key exists and is not revoked. */
  isActive(scope: string, keyHash: string): Promise<boolean>
  /**
   * Adds the keys of the configuration and removes those that it no longer contains. A key that was
   * revoked here stays revoked as long as the configuration contains it. `now` in Unix seconds.
   */
  applyConfiguration(keys: readonly NewKey[], now: number): Promise<void>
}

const shown = ['id', 'name', 'scope', 'source', 'created_at', 'revoked_at'] as const

const toRow = (
  { name, scope, keyHash }: NewKey,
  source: ApiKeyRow['source'],
  now: number,
): ApiKeyRow => ({
  id: randomUUID(),
  name,
  scope,
  key_hash: keyHash,
  source,
  created_at: now,
  revoked_at: null,
})

export function createApiKeyStore(database: Kysely<ApiKeysTables>): ApiKeyStore {
  return {
    create: (key, now) =>
      database
        .insertInto('api_keys')
        .values(toRow(key, 'created', now))
        .returning(shown)
        .executeTakeFirstOrThrow(),
    async list(offset, limit) {
      const { total } = await database
        .selectFrom('api_keys')
        .select((select) => select.fn.countAll().as('total'))
        .executeTakeFirstOrThrow()
      const items = await database
        .selectFrom('api_keys')
        .select(shown)
        .orderBy('created_at')
        .orderBy('id')
        .offset(offset)
        .limit(limit)
        .execute()
      return { total: Number(total), items }
    },
    async revoke(id, now) {
      await database
        .updateTable('api_keys')
        .set({ revoked_at: now })
        .where('id', '=', id)
        .where('revoked_at', 'is', null)
        .execute()
      return database.selectFrom('api_keys').select(shown).where('id', '=', id).executeTakeFirst()
    },
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
        for (const key of keys) {
          await transaction
            .insertInto('api_keys')
            .values(toRow(key, 'config', now))
            .onConflict((conflict) => conflict.columns(['scope', 'key_hash']).doNothing())
            .execute()
        }
      }),
  }
}
