import type { Kysely } from 'kysely'
import type { Provider } from 'oidc-provider'
import type { Log } from '#kit/log.ts'
import type { RsaPrivateJwk } from '#kit/openid-provider/load-signing-keys.ts'
import type { Runtime } from '#kit/runtime.ts'
import type { CredentialStore } from './adapters/create-credential-store.ts'
import type { LoginStore } from './adapters/create-login-store.ts'
import type { VerifierClient } from './adapters/create-verifier-client.ts'
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
  /** The claims of a scope list for a credential. */
  readonly claimsFor: (scopes: Iterable<string>, credential: unknown) => Record<string, unknown>
  /** Newest first; made in the background on the very first start. */
  readonly signingKeys: Promise<readonly [RsaPrivateJwk, ...RsaPrivateJwk[]]>
  readonly provider: Promise<Provider>
}
