import type { Kysely } from 'kysely'
import type { Provider } from 'oidc-provider'
import type { Log } from '#kit/log.ts'
import type { Runtime } from '#kit/runtime.ts'
import type { ClientStore } from './adapters/create-client-store.ts'
import type { CredentialStore } from './adapters/create-credential-store.ts'
import type { LoginStore } from './adapters/create-login-store.ts'
import type { ProviderSource } from './adapters/create-provider-source.ts'
import type { ScopeMapperStore } from './adapters/create-scope-mapper-store.ts'
import type { VerifierClient } from './adapters/create-verifier-client.ts'
import type { AdminDependencies } from './admin/create-admin-dependencies.ts'
import type { IdpConfig } from './config.ts'
import type { IdpTables } from './tables.ts'

/** What the routes work with. */
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
  readonly providers: ProviderSource
  /** As it is now: ask in each request anew. */
  readonly provider: Promise<Provider>
}
