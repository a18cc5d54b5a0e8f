import type { Kysely } from 'kysely'
import type { Provider } from 'oidc-provider'
import type { LoginLock } from '#kit/create-login-lock.ts'
import type { Log } from '#kit/log.ts'
import type { RsaPrivateJwk } from '#kit/openid-provider/signing-keys.ts'
import type { Runtime } from '#kit/runtime.ts'
import type { AccountStore } from './adapters/account-store.ts'
import type { Broker } from './adapters/broker-client.ts'
import type { BrokerStore } from './adapters/broker-store.ts'
import type { TokenIssuerConfig } from './config.ts'
import type { TokenIssuerTables } from './tables.ts'

/** The dependencies of the routes. */
export interface Dependencies {
  readonly config: TokenIssuerConfig
  readonly runtime: Runtime
  readonly log: Log
  readonly database: Kysely<TokenIssuerTables>
  readonly accounts: AccountStore
  readonly lock: LoginLock
  readonly brokers: ReadonlyMap<string, Broker>
  readonly brokerStore: BrokerStore
  /** Newest first; the first one is created when it is first needed. */
  readSigningKeys(): Promise<readonly [RsaPrivateJwk, ...RsaPrivateJwk[]]>
  readProvider(): Promise<Provider>
}
