import {
  type ResolvedOffer,
  resolveCredentialOffer,
} from '#wallet-emulator/actions/resolve-credential-offer.ts'
import type { Wallet } from '#wallet-emulator/create-wallet.ts'
import { asPremise } from '../../../kit/classify-answer.ts'
import type { IssuerContext } from '../issuer-context.ts'
import type { MadeOffer, OfferKind } from '../make-offer.ts'

/** An offer that a wallet of the kit has read. */
export interface ReadOffer {
  readonly wallet: Wallet
  readonly made: MadeOffer
  readonly resolved: ResolvedOffer
}

export interface ReadOfferOptions {
  readonly kind?: OfferKind
  /** By default a new one that does as documented. */
  readonly wallet?: Wallet
}

/** Has an offer made and reads it, with the issuer's metadata; nothing was asked for yet. */
export async function readOffer(
  context: IssuerContext,
  { kind, wallet = context.createWallet() }: ReadOfferOptions = {},
): Promise<ReadOffer> {
  const made = await context.createOffer(kind)
  const resolved = await asPremise('reading an offer', resolveCredentialOffer(wallet, made.link))
  return { wallet, made, resolved }
}
