import { type Kysely, sql } from 'kysely'
import type { Migration } from 'kysely/migration'
import { type LoginLockTables, loginLockMigration } from '#kit/create-login-lock.ts'
import {
  type OpenidTables,
  openidDigestMigration,
  openidMigration,
} from '#kit/openid-provider/openid-tables.ts'

import type { LoginStatus } from './domain/login.ts'

/** A relying party. Times are Unix seconds. */
export interface ClientTable {
  client_id: string
  name: string
  /** Digest of the secret; the secret itself is not stored. */
  secret_digest: string
  /** How the client may send its secret: see `Authentication`. */
  authentication: string
  /** JSON array. */
  redirect_uris: string
  created_at: number
  updated_at: number
}

/** The claims of one scope, as `key = path.to.field`, one per line. */
interface ScopeMapperTable {
  scope: string
  mappers: string
  /** Changes with every update; compared with the one in memory. */
  revision: string
  updated_at: number
}

/** An administrator who may use the admin panel. */
interface AdminAccountTable {
  username: string
  password_hash: string
  updated_at: number
}

/** A browser that is logged in to the admin panel. */
interface AdminSessionTable {
  /** Digest of the cookie's value. */
  id_digest: string
  username: string
  created_at: number
  last_seen_at: number
}

/** The entry of the configuration that was applied last. */
interface AppliedConfigurationTable {
  /** For example `client:relying-party`. */
  entry: string
  digest: string
}

/** One QR code of a browser's login, with its outcome. Times are Unix seconds. */
export interface LoginTable {
  /** Public: it only gives access to the status. */
  session_code: string
  /** Digest of the pending login's id at oidc-provider, which is in the browser's cookie. */
  interaction_uid: string
  /** Counts the QR codes of one login from 1. */
  attempt: number
  /** The login's client; null for logins from before this column existed. */
  client_id: string | null
  /** The session at the verification service. */
  verifier_session_id: string
  /** The openid4vp:// link. */
  authorization_request: string
  status: LoginStatus
  created_at: number
  expires_at: number
  decided_at: number | null
  /** Digest of the one-time code in the address that the wallet redirects its holder to. */
  response_code_digest: string | null
  /** The credential's `vc` claim as JSON, if the login succeeded. */
  credential: string | null
  /** Broken rules, and services that did not respond, as JSON; null without a verdict. */
  failures: string | null
}

/** The credential of a grant: every token and userinfo response of the grant is based on it. */
interface GrantedCredentialTable {
  grant_id: string
  subject: string
  credential: string
  created_at: number
}

export interface IdpTables extends OpenidTables, LoginLockTables {
  logins: LoginTable
  granted_credentials: GrantedCredentialTable
  clients: ClientTable
  scope_mappers: ScopeMapperTable
  admin_accounts: AdminAccountTable
  admin_sessions: AdminSessionTable
  applied_configuration: AppliedConfigurationTable
}

/** Creates the tables of the logins and their grants. */
const loginMigration: Migration = {
  async up(database: Kysely<unknown>): Promise<void> {
    await sql`create table logins (
      session_code text primary key, interaction_uid text not null, attempt integer not null,
      verifier_session_id text not null unique, authorization_request text not null,
      status text not null, created_at bigint not null, expires_at bigint not null,
      decided_at bigint, response_code_digest text, credential text, failures text,
      constraint logins_attempt unique (interaction_uid, attempt)
    )`.execute(database)
    await sql`create index logins_created_at on logins (created_at)`.execute(database)
    await sql`create table granted_credentials (
      grant_id text primary key, subject text not null, credential text not null,
      created_at bigint not null
    )`.execute(database)
    await sql`create index granted_credentials_created_at on granted_credentials (created_at)`.execute(
      database,
    )
  },
}

/** Creates the tables of the admin panel, and adds the client to a login. */
const adminMigration: Migration = {
  async up(database: Kysely<unknown>): Promise<void> {
    const { schema } = database
    await sql`create table clients (
      client_id text primary key, name text not null, secret_digest text not null,
      authentication text not null, redirect_uris text not null, created_at bigint not null,
      updated_at bigint not null
    )`.execute(database)
    await sql`create table scope_mappers (
      scope text primary key, mappers text not null, revision text not null,
      updated_at bigint not null
    )`.execute(database)
    await sql`create table admin_accounts (
      username text primary key, password_hash text not null, updated_at bigint not null
    )`.execute(database)
    await sql`create table admin_sessions (
      id_digest text primary key, username text not null, created_at bigint not null,
      last_seen_at bigint not null
    )`.execute(database)
    await sql`create table admin_login_failures (
      key_digest text primary key, failures integer not null, failed_at bigint not null,
      blocked_until bigint not null
    )`.execute(database)
    await sql`create table applied_configuration (
      entry text primary key, digest text not null
    )`.execute(database)
    await schema.alterTable('logins').addColumn('client_id', 'text').execute()
  },
}

export const migrations = {
  '0001-openid': openidMigration,
  '0002-logins': loginMigration,
  '0003-admin': adminMigration,
  '0010-digests': openidDigestMigration,
  '0011-login-failures': loginLockMigration('admin_login_failures'),
}
