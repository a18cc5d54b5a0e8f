import type { Kysely } from 'kysely'
import type { LoginLock } from '#kit/create-login-lock.ts'
import type { Log } from '#kit/log.ts'
import type { Runtime } from '#kit/runtime.ts'
import type { AdminAccountStore, AdminSessionStore } from './adapters/admin-store.ts'
import type { ClientStore } from './adapters/client-store.ts'
import type { CredentialStore } from './adapters/credential-store.ts'
import type { LoginStore } from './adapters/login-store.ts'
import type { ProviderSource } from './adapters/provider-source.ts'
import type { ScopeMapperStore } from './adapters/scope-mapper-store.ts'
import type { VerifierClient } from './adapters/verifier-client.ts'
import type { AdminLinks } from './admin/admin-links.ts'
import type { IdpConfig } from './config.ts'
import type { IdpTables } from './tables.ts'

/** The dependencies of the routes. */
export interface Dependencies {
  readonly config: IdpConfig
  readonly runtime: Runtime
  readonly log: Log
  readonly database: Kysely<IdpTables>
  readonly verifier: VerifierClient
  readonly logins: LoginStore
  readonly credentials: CredentialStore
  readonly clients: ClientStore
  readonly scopeMappers: ScopeMapperStore
  readonly admin: AdminDependencies
  /** The current provider: read it in every request. */
  readonly providers: ProviderSource
}

/** The additional dependencies of the admin panel. */
interface AdminDependencies {
  readonly accounts: AdminAccountStore
  readonly sessions: AdminSessionStore
  readonly lock: LoginLock
  readonly links: AdminLinks
}
