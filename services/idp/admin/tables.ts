import type { LoginLockTables } from '#kit/create-login-lock.ts'

/** A relying party. Times are Unix seconds. */
export interface ClientTable {
  client_id: string
  name: string
  /** Digest of the secret; the secret itself is nowhere. */
  secret_digest: string
  /** How the client may send its secret: see `Authentication`. */
  authentication: string
  /** JSON array. */
  redirect_uris: string
  created_at: number
  updated_at: number
}

/** The claims of one scope, as `key = path.to.field`, one a line. */
export interface ScopeMapperTable {
  scope: string
  mappers: string
  /** Another one with each change: what is in memory is compared with it. */
  revision: string
  updated_at: number
}

/** Somebody who may use the admin panel. */
export interface AdminAccountTable {
  username: string
  password_hash: string
  updated_at: number
}

/** A browser in which somebody is logged in to the admin panel. */
export interface AdminSessionTable {
  /** Digest of the cookie's value. */
  id_digest: string
  username: string
  created_at: number
  last_seen_at: number
}

/** Which entry of the configuration was taken over last. */
export interface AppliedConfigurationTable {
  /** For example `client:relying-party`. */
  entry: string
  digest: string
}

/** Tables behind the admin panel. */
export interface AdminTables extends LoginLockTables {
  clients: ClientTable
  scope_mappers: ScopeMapperTable
  admin_accounts: AdminAccountTable
  admin_sessions: AdminSessionTable
  applied_configuration: AppliedConfigurationTable
}
