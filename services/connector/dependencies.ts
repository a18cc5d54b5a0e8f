import type { PrivateJwk } from '#core/crypto/jwk.ts'
import type { VerificationCache } from '#core/verification/verification-cache.ts'
import type { Runtime } from '#kit/runtime.ts'
import type { IssuanceStore } from './adapters/issuance-store.ts'
import type { IssuerClient } from './adapters/issuer-client.ts'
import type { NotificationOutbox } from './adapters/notification-outbox.ts'
import type { ConnectorConfig } from './config.ts'

/**
 * Makes the credential of a prepared offer from its recipe, for the holder who has proved the key;
 * undefined where this holder is to have none.
 */
export type PrepareCredential = (recipe: string, holderDid: string) => Promise<string | undefined>

/** What the connector's routes work with. */
export interface ConnectorDependencies {
  readonly config: ConnectorConfig
  readonly runtime: Runtime
  readonly issuances: IssuanceStore
  readonly issuer: IssuerClient
  readonly outbox: NotificationOutbox
  readonly signingKey: PrivateJwk
  readonly verificationCache: VerificationCache
  /** Absent where nobody prepares credentials. */
  readonly prepareCredential?: PrepareCredential | undefined
}
