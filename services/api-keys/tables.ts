import type { Migration } from 'kysely/migration'

/** One key. Times are Unix seconds. */
export interface ApiKeyRow {
  readonly id: string
  readonly name: string
  readonly scope: string
  readonly key_hash: string
  /** `config` for keys that exist as long as the configuration names them. */
  readonly source: 'config' | 'created'
  readonly created_at: number
  readonly revoked_at: number | null
}

export interface ApiKeysSchema {
  api_keys: ApiKeyRow
}

export const apiKeyMigrations: Readonly<Record<string, Migration>> = {
  '001-api-keys': {
    async up(database) {
      await database.schema
        .createTable('api_keys')
        .addColumn('id', 'text', (column) => column.primaryKey())
        .addColumn('name', 'text', (column) => column.notNull())
        .addColumn('scope', 'text', (column) => column.notNull())
        .addColumn('key_hash', 'text', (column) => column.notNull())
        .addColumn('source', 'text', (column) => column.notNull())
        .addColumn('created_at', 'bigint', (column) => column.notNull())
        .addColumn('revoked_at', 'bigint')
        .addUniqueConstraint('api_keys_scope_key_hash', ['scope', 'key_hash'])
        .execute()
    },
  },
}
