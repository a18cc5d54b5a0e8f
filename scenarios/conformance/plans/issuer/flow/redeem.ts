import { type RedeemedOffer, redeemOffer } from '#scenarios/fixtures/redeem-offer.ts'
import {
  type ResolvedOffer,
  resolveCredentialOffer,
} from '#wallet-emulator/actions/resolve-credential-offer.ts'
import type { Wallet } from '#wallet-emulator/create-wallet.ts'
import type { IssuerContext } from '../issuer-context.ts'
import type { MadeOffer, OfferKind } from '../make-offer.ts'
import { reach } from './reach.ts'

/** An offer that a wallet of the kit has read. */
export interface ReadOffer {
  readonly wallet: Wallet
  readonly made: MadeOffer
  readonly resolved: ResolvedOffer
}

export interface RedeemOptions {
  readonly kind?: OfferKind
  /** An offer that is there already; by default one is made. */
  readonly made?: MadeOffer
  /** By default a new one that does as documented. */
  readonly wallet?: Wallet
}

/** Has an offer made and reads it, with the issuer's metadata; nothing was asked for yet. */
export async function readOffer(
  context: IssuerContext,
  { kind, wallet = context.createWallet() }: Omit<RedeemOptions, 'made'> = {},
): Promise<ReadOffer> {
  const made = await context.createOffer(kind)
  const resolved = await reach('reading an offer', resolveCredentialOffer(wallet, made.link))
  return { wallet, made, resolved }
}

/** Has an offer made and trades its code for an access token, as documented. */
export async function redeem(
  context: IssuerContext,
  { kind, wallet = context.createWallet(), ...options }: RedeemOptions = {},
): Promise<ReadOffer & RedeemedOffer> {
  const made = options.made ?? (await context.createOffer(kind))
  const pin = { getPin: () => made.pin, maximumPinAttempts: 1 }
  const redeemed = await reach('redeeming an offer', redeemOffer(wallet, made.link, pin))
  return { wallet, made, ...redeemed }
}
