import type { CheckBase } from '../../kit/check.ts'
import type { WalletDriver } from '../../targets/adapters/wallet-driver.ts'
import type { OpenTrustWorld } from '../../world/open-trust-world.ts'
import type { IssuerBehaviour, IssuerSession } from './counterparts/issuer-session.ts'
import type { VerifierBehaviour, VerifierSession } from './counterparts/verifier-session.ts'

/** The context of the checks of the wallet plan: the driver of the wallet, and its counterparts. */
export interface WalletContext extends CheckBase {
  readonly wallet: WalletDriver
  readonly trust: OpenTrustWorld
  /** How long the wallet waits for a deferred credential at most, according to its target. */
  readonly deferralPatienceSeconds?: number
  /** Opens a new issuer, fully conformant except for the given behaviour. */
  openIssuer(behaviour?: IssuerBehaviour): IssuerSession
  /** Opens a new verifier, fully conformant except for the given behaviour. */
  openVerifier(behaviour?: VerifierBehaviour): VerifierSession
  /** Makes sure that the wallet holds a valid credential; issues one if necessary. */
  holdCredential(): Promise<string>
  /** Records that the wallet holds this valid credential, so that later checks can use it. */
  noteHeld(credential: string): void
  /** Records that the state of the wallet is unknown, so that the next check resets it. */
  noteChanged(): void
}
