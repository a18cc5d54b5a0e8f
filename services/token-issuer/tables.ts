import { type Kysely, sql } from 'kysely'
import type { Migration } from 'kysely/migration'
import { type LoginLockTables, loginLockMigration } from '#kit/create-login-lock.ts'
import {
  type OpenidTables,
  openidDigestMigration,
  openidMigration,
} from '#kit/openid-provider/openid-tables.ts'

/** A user of an external identity provider. */
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

/** A pending login at an external identity provider. */
interface BrokerLoginTable {
  /** SHA-256 of `state`. */
  state_digest: string
  alias: string
  /** The login that it belongs to. */
  interaction: string
  nonce: string
  code_verifier: string
  /** SHA-256 of the cookie of the browser that started it. */
  browser_digest: string
  /** Unix seconds. */
  expires_at: number
}

/** The result of a login at an external identity provider, to be fetched once. */
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
    await sql`create table linked_accounts (
      alias text not null, subject text not null, account_id text not null unique,
      claims text not null, created_at bigint not null, updated_at bigint not null,
      constraint linked_accounts_key primary key (alias, subject)
    )`.execute(database)
    await sql`create table broker_logins (
      state_digest text primary key, alias text not null, interaction text not null,
      nonce text not null, code_verifier text not null, browser_digest text not null,
      expires_at bigint not null
    )`.execute(database)
    await sql`create table broker_tickets (
      ticket_digest text primary key, interaction text not null, account_id text not null,
      expires_at bigint not null
    )`.execute(database)
    await sql`create table failed_logins (
      username_digest text not null, failed_at bigint not null
    )`.execute(database)
    await sql`create index failed_logins_username on failed_logins (username_digest, failed_at)`.execute(
      database,
    )
  },
}

export const migrations: Readonly<Record<string, Migration>> = {
  '0001-openid': openidMigration,
  '0002-accounts': accounts,
  '0010-digests': openidDigestMigration,
  '0011-login-failures': loginLockMigration('failed_logins'),
}
