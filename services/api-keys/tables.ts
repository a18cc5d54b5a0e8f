import { sql } from 'kysely'
import type { Migration } from 'kysely/migration'

/** One key. Times are Unix seconds. */
export interface ApiKeyRow {
  readonly id: string
  readonly name: string
  readonly scope: string
  readonly key_hash: string
  /** `config` for keys that are valid as long as the configuration contains them. */
  readonly source: 'config' | 'created'
  readonly created_at: number
  readonly revoked_at: number | null
}

export interface ApiKeysTables {
  api_keys: ApiKeyRow
}

export const migrations: Readonly<Record<string, Migration>> = {
  '001-api-keys': {
    async up(database) {
      await sql`create table api_keys (
        id text primary key, name text not null, scope text not null, key_hash text not null,
        source text not null, created_at bigint not null, revoked_at bigint,
        constraint api_keys_scope_key_hash unique (scope, key_hash)
      )`.execute(database)
    },
  },
}
