import { type RedeemedOffer, redeemOffer } from '#scenarios/fixtures/wallet-endpoints.ts'
import { asPremise } from '../../../kit/classify-answer.ts'
import type { IssuerContext } from '../issuer-context.ts'
import type { MadeOffer } from '../make-offer.ts'
import type { ReadOffer, ReadOfferOptions } from './read-offer.ts'

export interface RedeemOptions extends ReadOfferOptions {
  /** An offer that is there already; by default one is made. */
  readonly made?: MadeOffer
}

/** Has an offer made and trades its code for an access token, as documented. */
export async function redeem(
  context: IssuerContext,
  { kind, wallet = context.createWallet(), ...options }: RedeemOptions = {},
): Promise<ReadOffer & RedeemedOffer> {
  const made = options.made ?? (await context.createOffer(kind))
  const pin = { getPin: () => made.pin, maximumPinAttempts: 1 }
  const redeemed = await asPremise('redeeming an offer', redeemOffer(wallet, made.link, pin))
  return { wallet, made, ...redeemed }
}
