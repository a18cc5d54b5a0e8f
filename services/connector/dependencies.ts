import type { PrivateJwk } from '#core/crypto/jwk.ts'
import type { VerificationCache } from '#core/verification/verification-cache.ts'
import type { Runtime } from '#kit/runtime.ts'
import type { IssuanceStore } from './adapters/issuance-store.ts'
import type { IssuerClient } from './adapters/issuer-client.ts'
import type { NotificationOutbox } from './adapters/notification-outbox.ts'
import type { ConnectorConfig } from './config.ts'

/**
 * Makes the credential of a prepared offer from its recipe, for the verified holder; undefined to
 * deny it to this holder.
 */
export type PrepareCredential = (recipe: string, holderDid: string) => Promise<string | undefined>

/** The dependencies of the connector's routes. */
export interface Dependencies {
  readonly config: ConnectorConfig
  readonly runtime: Runtime
  readonly issuances: IssuanceStore
  readonly issuer: IssuerClient
  readonly outbox: NotificationOutbox
  readonly signingKey: PrivateJwk
  readonly verificationCache: VerificationCache
  /** Undefined if there are no prepared credentials. */
  readonly prepareCredential?: PrepareCredential | undefined
}
