import type { CredentialSupported } from '#core/oid4vci/issuer-metadata.ts'
import { createTokenRequest } from '#core/oid4vci/token.ts'
import {
  createRequestBody,
  type RedeemedOffer,
  redeemOffer,
} from '#scenarios/fixtures/wallet-endpoints.ts'
import type { HttpAnswer, HttpRequest } from '#scenarios/harness/http-client.ts'
import {
  type ResolvedOffer,
  resolveCredentialOffer,
} from '#wallet-emulator/actions/resolve-credential-offer.ts'
import type { Wallet } from '#wallet-emulator/create-wallet.ts'
import { endCheck, inconclusive } from '../../kit/check.ts'
import { asPremise, requireAnswer } from '../../kit/classify-answer.ts'
import type { IssuerContext } from './context.ts'
import type { MadeOffer, OfferKind } from './make-offer.ts'

/** An offer that a wallet of the kit has read. */
export interface ReadOffer {
  readonly wallet: Wallet
  readonly made: MadeOffer
  readonly resolved: ResolvedOffer
}

export interface ReadOfferOptions {
  /** An existing offer; by default a new one. */
  readonly made?: MadeOffer
  readonly kind?: OfferKind | undefined
  /** By default a new conformant wallet. */
  readonly wallet?: Wallet
}

/** Orders an offer or takes an existing one, and reads it, with the issuer's metadata; does not redeem it. */
export async function readOffer(
  context: IssuerContext,
  { kind, wallet = context.createWallet(), ...options }: ReadOfferOptions = {},
): Promise<ReadOffer> {
  const made = options.made ?? (await orderOffer(context, kind))
  const resolved = await asPremise('reading an offer', resolveCredentialOffer(wallet, made.link))
  return { wallet, made, resolved }
}

/** Those of these kinds that the target can create. */
export const kindsOf = (
  context: IssuerContext,
  kinds: readonly OfferKind[],
): readonly OfferKind[] => kinds.filter((kind) => kind === 'plain' || context.can(kind))

/** Whether offers can be ordered at all is a verdict only of the checks about offers. */
const orderOffer = (context: IssuerContext, kind: OfferKind | undefined): Promise<MadeOffer> =>
  asPremise('ordering an offer', context.createOffer(kind))

/** Orders an offer and redeems its code for an access token, as documented. */
export async function redeem(
  context: IssuerContext,
  { kind, wallet = context.createWallet(), ...options }: ReadOfferOptions = {},
): Promise<ReadOffer & RedeemedOffer> {
  const made = options.made ?? (await orderOffer(context, kind))
  const pin = { getPin: () => made.pin, maximumPinAttempts: 1 }
  const redeemed = await asPremise('redeeming an offer', redeemOffer(wallet, made.link, pin))
  return { wallet, made, ...redeemed }
}

/** The first entry of the metadata that is offered. Ends the check if there is none. */
export function entryOf({ offered: [entry] }: ResolvedOffer): CredentialSupported {
  return entry ?? endCheck(inconclusive('The offer does not contain a credential.'))
}

/** POST /token; by default as documented, for an offer without a PIN. */
export function askForToken(
  { http }: IssuerContext,
  { metadata, preAuthorizedCode }: ResolvedOffer,
  request: HttpRequest = { form: createTokenRequest({ preAuthorizedCode }) },
): Promise<HttpAnswer> {
  return http.request(metadata.tokenEndpoint, { method: 'POST', ...request })
}

export interface CredentialRequestOptions {
  /** By default that of the token response. */
  readonly cNonce?: string | undefined
  /** By default the documented one. */
  readonly json?: unknown
  /** By default the access token as Bearer. */
  readonly headers?: Readonly<Record<string, string>>
  /** Added to the address of the endpoint. */
  readonly query?: string
}

/** POST /credential, once and without any retry; by default as documented. */
export function askForCredential(
  { http }: IssuerContext,
  { wallet, ...redeemed }: RedeemedOffer & { readonly wallet: Wallet },
  { cNonce, query = '', ...request }: CredentialRequestOptions = {},
): Promise<HttpAnswer> {
  const { resolved, token } = redeemed
  return http.request(`${resolved.metadata.credentialEndpoint}${query}`, {
    method: 'POST',
    headers: request.headers ?? { authorization: `Bearer ${token.accessToken}` },
    json: request.json ?? createRequestBody(wallet, redeemed, cNonce),
  })
}

/** POST /token with this PIN. */
export function sendPin(
  context: IssuerContext,
  { resolved }: ReadOffer,
  txCode: string,
): Promise<HttpAnswer> {
  const { preAuthorizedCode } = resolved
  return askForToken(context, resolved, { form: createTokenRequest({ preAuthorizedCode, txCode }) })
}

/** POST /token as documented, with the PIN if the offer has one. */
export const redeemCode = (context: IssuerContext, offer: ReadOffer): Promise<HttpAnswer> =>
  offer.made.pin === undefined
    ? askForToken(context, offer.resolved)
    : sendPin(context, offer, offer.made.pin)

/** A wrong PIN of the same length and characters, a different one for each number from 1 to 9. */
export function wrongPin(pin: string, number = 1): string {
  const last = pin.charAt(pin.length - 1)
  const shifted = /\d/.test(last) ? String((Number(last) + number) % 10) : String(number)
  return pin.slice(0, -1) + shifted
}

/** The answer to a preparatory request, which must succeed. `what` names it. */
export function reachAnswer(what: string, answering: Promise<HttpAnswer>): Promise<HttpAnswer> {
  const statuses = [200, 202]
  return asPremise(
    what,
    answering.then((answer) => requireAnswer(answer, what, statuses)),
  )
}
