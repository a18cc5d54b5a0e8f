import type { LoginLockTables } from '#kit/create-login-lock.ts'
import type { OpenidTables } from '#kit/openid-provider/openid-tables.ts'

/** Somebody whom an external identity provider has introduced. */
export interface LinkedAccountTable {
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
export interface BrokerLoginTable {
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
export interface BrokerTicketTable {
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
