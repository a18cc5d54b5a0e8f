import type { Kysely } from 'kysely'
import type { Migration } from 'kysely/migration'
import { type LoginLockTables, loginLockMigration } from '#kit/create-login-lock.ts'
import {
  type OpenidTables,
  openidDigestMigration,
  openidMigration,
} from '#kit/openid-provider/openid-tables.ts'

/** Somebody whom an external identity provider has introduced. */
interface LinkedAccountTable {
  alias: string
  /** `sub` at that provider. */
  subject: string
  account_id: string
  /** Claims of the latest login, as JSON. */
  claims: string
  /** Unix seconds. */
  created_at: number
  /** Unix seconds. */
  updated_at: number
}

/** A login at an external identity provider that has been begun. */
interface BrokerLoginTable {
  /** SHA-256 of `state`. */
  state_digest: string
  alias: string
  /** The sign-in here that it belongs to. */
  interaction: string
  nonce: string
  code_verifier: string
  /** SHA-256 of the cookie of the browser that began it. */
  browser_digest: string
  /** Unix seconds. */
  expires_at: number
}

/** The outcome of a login at an external identity provider, to be fetched once. */
interface BrokerTicketTable {
  ticket_digest: string
  interaction: string
  account_id: string
  /** Unix seconds. */
  expires_at: number
}

export interface TokenIssuerTables extends OpenidTables, LoginLockTables {
  linked_accounts: LinkedAccountTable
  broker_logins: BrokerLoginTable
  broker_tickets: BrokerTicketTable
}

const accounts: Migration = {
  async up(database: Kysely<unknown>): Promise<void> {
    const { schema } = database
    await schema
      .createTable('linked_accounts')
      .addColumn('alias', 'text', (column) => column.notNull())
      .addColumn('subject', 'text', (column) => column.notNull())
      .addColumn('account_id', 'text', (column) => column.notNull().unique())
      .addColumn('claims', 'text', (column) => column.notNull())
      .addColumn('created_at', 'bigint', (column) => column.notNull())
      .addColumn('updated_at', 'bigint', (column) => column.notNull())
      .addPrimaryKeyConstraint('linked_accounts_key', ['alias', 'subject'])
      .execute()
    await schema
      .createTable('broker_logins')
      .addColumn('state_digest', 'text', (column) => column.primaryKey())
      .addColumn('alias', 'text', (column) => column.notNull())
      .addColumn('interaction', 'text', (column) => column.notNull())
      .addColumn('nonce', 'text', (column) => column.notNull())
      .addColumn('code_verifier', 'text', (column) => column.notNull())
      .addColumn('browser_digest', 'text', (column) => column.notNull())
      .addColumn('expires_at', 'bigint', (column) => column.notNull())
      .execute()
    await schema
      .createTable('broker_tickets')
      .addColumn('ticket_digest', 'text', (column) => column.primaryKey())
      .addColumn('interaction', 'text', (column) => column.notNull())
      .addColumn('account_id', 'text', (column) => column.notNull())
      .addColumn('expires_at', 'bigint', (column) => column.notNull())
      .execute()
    await schema
      .createTable('failed_logins')
      .addColumn('username_digest', 'text', (column) => column.notNull())
      .addColumn('failed_at', 'bigint', (column) => column.notNull())
      .execute()
    await schema
      .createIndex('failed_logins_username')
      .on('failed_logins')
      .columns(['username_digest', 'failed_at'])
      .execute()
  },
}

export const migrations: Readonly<Record<string, Migration>> = {
  '0001-openid': openidMigration,
  '0002-accounts': accounts,
  '0010-digests': openidDigestMigration,
  '0011-login-failures': loginLockMigration('failed_logins'),
}
