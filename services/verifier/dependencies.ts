import type { PrivateJwk } from '#core/crypto/jwk.ts'
import type { Lookups } from '#core/verification/lookup.ts'
import type { VerificationCache } from '#core/verification/verification-cache.ts'
import type { Log } from '#kit/log.ts'
import type { Runtime } from '#kit/runtime.ts'
import type { SessionStore } from './adapters/session-store.ts'
import type { VerdictOutbox } from './adapters/verdict-outbox.ts'
import type { VerifierConfig } from './config.ts'

/** The dependencies of the routes. */
export interface Dependencies {
  readonly config: VerifierConfig
  readonly runtime: Runtime
  readonly log: Log
  readonly sessions: SessionStore
  readonly lookups: Lookups
  readonly outbox: VerdictOutbox
  readonly signingKey: PrivateJwk
  readonly verificationCache: VerificationCache
}
