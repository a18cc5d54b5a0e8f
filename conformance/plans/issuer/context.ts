import type { HolderSuite } from '#core/crypto/suites.ts'
import type { HttpClient } from '#scenarios/harness/http-client.ts'
import type { Wallet } from '#wallet-emulator/create-wallet.ts'
import type { CreateAccountOptions } from '#wallet-emulator/keys/create-account.ts'
import type { TrustEnvironment } from '#wallet-emulator/trust/wallet-trust.ts'
import type { CheckBase } from '../../kit/check.ts'
import type { MadeOffer, OfferKind } from './make-offer.ts'
import type { Portal } from './open-portal.ts'

/** What a check of an issuer may need of its target in addition to the issuer. */
export type IssuerNeed =
  | Exclude<OfferKind, 'plain'>
  | 'clock'
  | 'trust'
  | 'portal'
  | 'other-organization'
  | 'mailbox'
  | 'bearer-claims'
  | 'person-claims'

/** A wallet of the kit: by default conformant, with a new key. */
interface KitWalletOptions extends CreateAccountOptions {
  /** Names of deviations from wallet-emulator/faults. */
  readonly faults?: readonly string[]
}

/** The registries to verify the issuer's credentials with. */
export interface IssuerTrust extends TrustEnvironment {
  readonly didRegistryBaseUrl: string
}

/**
 * The context of the checks of an issuer: the kit is the wallet and the client that orders offers.
 */
export interface IssuerContext extends CheckBase {
  readonly credentialIssuer: string
  readonly algorithm: HolderSuite
  /** Seconds for which an offer's code can be redeemed. */
  readonly offerLifetimeSeconds: number
  /** The HTTP client of a wallet, for requests that the wallet emulator would never send. */
  readonly http: HttpClient
  /** Makes the issuer create an offer, by default by value and without a PIN. */
  createOffer(kind?: OfferKind): Promise<MadeOffer>
  createWallet(options?: KitWalletOptions): Wallet
  /** True if the target offers what an optional part of a check needs. */
  can(need: IssuerNeed): boolean
  /**
   * Moves the issuer's clock by the given number of seconds; needs `clock`. Reset after the check.
   */
  advanceClock(seconds: number): Promise<void>
  /** Seconds after which the credential of a deferred offer is ready. */
  readonly deferredSeconds: number
  /**
   * Waits the given number of seconds: on the issuer's clock if it can be moved, or in real time.
   */
  letPass(seconds: number): Promise<void>
  /** The registries to verify credentials with; needs `trust`. */
  readonly trust: IssuerTrust | undefined
  /** The issuer's interface for portals. Ends the check if the target has none. */
  portal(): Portal
}
