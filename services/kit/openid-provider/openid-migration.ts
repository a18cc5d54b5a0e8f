import type { Kysely } from 'kysely'
import type { Migration } from 'kysely/migration'
import { writePayload } from '#kit/openid-provider/openid-payload.ts'
import type { OpenidTables } from '#kit/openid-provider/openid-tables.ts'
import { digest } from '#kit/secrets.ts'

/** Creates {@link OpenidTables}; a service lists it among its own migrations. */
export const openidMigration: Migration = {
  async up(database: Kysely<unknown>): Promise<void> {
    await database.schema
      .createTable('openid_artifacts')
      .addColumn('model', 'text', (column) => column.notNull())
      .addColumn('id', 'text', (column) => column.notNull())
      .addColumn('payload', 'text', (column) => column.notNull())
      .addColumn('grant_id', 'text')
      .addColumn('uid', 'text')
      .addColumn('expires_at', 'bigint')
      .addColumn('consumed_at', 'bigint')
      .addPrimaryKeyConstraint('openid_artifacts_key', ['model', 'id'])
      .execute()
    for (const column of ['grant_id', 'uid', 'expires_at']) {
      await database.schema
        .createIndex(`openid_artifacts_${column}`)
        .on('openid_artifacts')
        .column(column)
        .execute()
    }
    await database.schema
      .createTable('openid_signing_keys')
      .addColumn('generation', 'integer', (column) => column.primaryKey())
      .addColumn('kid', 'text', (column) => column.notNull())
      .addColumn('private_jwk', 'text', (column) => column.notNull())
      .addColumn('created_at', 'bigint', (column) => column.notNull())
      .execute()
  },
}

/** Replaces the ids of version 0.1.0, which browsers and clients present, by their digests. */
export const openidDigestMigration: Migration = {
  async up(database: Kysely<OpenidTables>): Promise<void> {
    const rows = await database
      .selectFrom('openid_artifacts')
      .select(['model', 'id', 'payload'])
      .execute()
    for (const { model, id, payload } of rows) {
      await database
        .updateTable('openid_artifacts')
        .set({ id: digest(id), payload: writePayload(JSON.parse(payload), id) })
        .where('model', '=', model)
        .where('id', '=', id)
        .execute()
    }
  },
}
