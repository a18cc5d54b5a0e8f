import type { Kysely } from 'kysely'
import type { Migration } from 'kysely/migration'
import { loginLockMigration } from '#kit/create-login-lock.ts'
import { openidDigestMigration, openidMigration } from '#kit/openid-provider/openid-tables.ts'
import { adminMigration } from './admin/admin-migration.ts'

const logins: Migration = {
  async up(database: Kysely<unknown>): Promise<void> {
    const { schema } = database
    await schema
      .createTable('logins')
      .addColumn('session_code', 'text', (column) => column.primaryKey())
      .addColumn('interaction_uid', 'text', (column) => column.notNull())
      .addColumn('attempt', 'integer', (column) => column.notNull())
      .addColumn('verifier_session_id', 'text', (column) => column.notNull().unique())
      .addColumn('authorization_request', 'text', (column) => column.notNull())
      .addColumn('status', 'text', (column) => column.notNull())
      .addColumn('created_at', 'bigint', (column) => column.notNull())
      .addColumn('expires_at', 'bigint', (column) => column.notNull())
      .addColumn('decided_at', 'bigint')
      .addColumn('response_code_digest', 'text')
      .addColumn('credential', 'text')
      .addColumn('failures', 'text')
      .addUniqueConstraint('logins_attempt', ['interaction_uid', 'attempt'])
      .execute()
    await schema.createIndex('logins_created_at').on('logins').column('created_at').execute()
    await schema
      .createTable('granted_credentials')
      .addColumn('grant_id', 'text', (column) => column.primaryKey())
      .addColumn('subject', 'text', (column) => column.notNull())
      .addColumn('credential', 'text', (column) => column.notNull())
      .addColumn('created_at', 'bigint', (column) => column.notNull())
      .execute()
    await schema
      .createIndex('granted_credentials_created_at')
      .on('granted_credentials')
      .column('created_at')
      .execute()
  },
}

export const migrations = {
  '0001-openid': openidMigration,
  '0002-logins': logins,
  '0003-admin': adminMigration,
  '0010-digests': openidDigestMigration,
  '0011-login-failures': loginLockMigration('admin_login_failures'),
}
