import type { CheckBase } from '../../kit/check.ts'
import type { WalletDriver } from '../../targets/adapters/wallet-driver.ts'
import type { OpenTrustWorld } from '../../world/open-trust-world.ts'
import type { IssuerBehaviour } from './counterparts/issuer-behaviour.ts'
import type { IssuerSession } from './counterparts/issuer-session.ts'
import type { VerifierBehaviour, VerifierSession } from './counterparts/verifier-session.ts'

/** What the checks of the wallet plan get: the wallet's driver, and counterparts to set before it. */
export interface WalletContext extends CheckBase {
  readonly wallet: WalletDriver
  readonly trust: OpenTrustWorld
  /** How long the wallet waits for a deferred credential, at most, as its target tells. */
  readonly deferralPatienceSeconds?: number
  /** A new issuer, good but for the one thing that the check is about. */
  openIssuer(behaviour?: IssuerBehaviour): IssuerSession
  /** A new verifier likewise. */
  openVerifier(behaviour?: VerifierBehaviour): VerifierSession
  /** Has the wallet hold a good credential, by a correct issuance where it holds none yet. */
  holdCredential(): Promise<string>
  /** The wallet took a good credential; later checks need none issued. */
  noteHeld(credential: string): void
  /** The wallet may hold what it should not, or nothing: the next check that needs one starts anew. */
  noteChanged(): void
}
