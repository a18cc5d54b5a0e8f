import type { HolderSuite } from '#core/crypto/suites.ts'
import type { HttpClient } from '#scenarios/harness/http-client.ts'
import type { Wallet } from '#wallet-emulator/create-wallet.ts'
import type { CreateAccountOptions } from '#wallet-emulator/keys/create-account.ts'
import type { TrustEnvironment } from '#wallet-emulator/trust/wallet-trust.ts'
import type { CheckBase } from '../../kit/check.ts'
import type { MadeOffer, OfferKind } from './make-offer.ts'
import type { Portal } from './open-portal.ts'

/** What a check of an issuer may need of its target, beside an issuer. */
export type IssuerNeed = Exclude<OfferKind, 'plain'> | 'clock' | 'trust' | 'portal'

/** A wallet of the kit's own: by default it does as documented, with a new key. */
interface KitWalletOptions extends CreateAccountOptions {
  /** Names of deviations out of wallet-emulator/faults. */
  readonly faults?: readonly string[]
}

/** The registries that the issuer's credentials are judged by. */
export interface IssuerTrust extends TrustEnvironment {
  readonly didRegistryBaseUrl: string
}

/** What the checks of an issuer get: the kit is the wallet, and whoever has offers made. */
export interface IssuerContext extends CheckBase {
  readonly credentialIssuer: string
  readonly algorithm: HolderSuite
  /** Seconds for which an offer's code can be redeemed. */
  readonly offerLifetimeSeconds: number
  /** Requests of a wallet as they are, for what the wallet emulator would never send. */
  readonly http: HttpClient
  /** Has the issuer make an offer, by default by value and without a PIN. */
  createOffer(kind?: OfferKind): Promise<MadeOffer>
  createWallet(options?: KitWalletOptions): Wallet
  /** True where the target has what a part of a check needs, which is left out otherwise. */
  can(need: IssuerNeed): boolean
  /** Lets so many seconds pass at the issuer; needs `clock`. It is put right after the check. */
  advanceClock(seconds: number): Promise<void>
  /** Seconds after which the credential of a deferred offer is ready. */
  readonly deferredSeconds: number
  /** Lets so many seconds pass: on the issuer's clock where it can be moved, or in truth. */
  letPass(seconds: number): Promise<void>
  /** What credentials are judged by; needs `trust`. */
  readonly trust: IssuerTrust | undefined
  /** The side of the issuer that portals use. Ends the check where the target has none. */
  portal(): Portal
}
