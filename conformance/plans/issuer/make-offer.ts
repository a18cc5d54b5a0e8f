import { findLink } from '#core/link/find-link.ts'
import { parseCredentialOfferUri } from '#core/oid4vci/credential-offer.ts'
import { broken, endCheck, inconclusive } from '../../kit/check.ts'
import type { CallVerbOptions } from '../../targets/adapters/call-verb.ts'
import { callVerb } from '../../targets/adapters/call-verb.ts'
import type { IssuerTarget } from './z-target.ts'

/**
 * The kind of an offer: with a PIN, by reference, with a credential that is not ready yet, or with
 * several credentials.
 */
export type OfferKind = 'plain' | 'pin' | 'reference' | 'deferred' | 'several'

/** The verbs that create them. */
export const offerVerbs = {
  plain: 'create-offer',
  pin: 'create-offer-with-pin',
  reference: 'create-offer-by-reference',
  deferred: 'create-deferred-offer',
  several: 'create-offer-of-several',
} as const satisfies Record<OfferKind, string>

export interface MadeOffer {
  /**
   * With the link's scheme `openid-credential-offer:`, or an https address that wallets register.
   */
  readonly link: string
  /** The PIN, if the target returned one. */
  readonly pin?: string
}

/**
 * Makes the issuer under test create an offer. The link may be anywhere in the verb's output, the
 * PIN is the member `pin` of JSON. Ends the check as inconclusive if there is no link, and as broken
 * if an offer with a PIN was ordered, and the link is one without.
 */
export async function makeOffer(
  { adapter, pin: fixedPin }: IssuerTarget,
  kind: OfferKind,
  options: CallVerbOptions,
): Promise<MadeOffer> {
  const name = offerVerbs[kind]
  const verb = adapter[name]
  if (verb === undefined) endCheck(inconclusive(`The target has no verb ${name}.`))
  const { outcome, reason, text, json, hasCrashed } = await callVerb(verb, name, {}, options)
  if (outcome !== 'done') {
    const details = hasCrashed ? ({ isOutage: true } as const) : {}
    endCheck(inconclusive(`There is no offer to check. ${reason}`, details))
  }
  const link = findLink(text, 'offer')?.link
  if (link === undefined) {
    endCheck(inconclusive(`${name} returned no offer link: ${text.slice(0, 200)}`))
  }
  if (kind !== 'pin') return { link }
  const pin = fixedPin ?? pinIn(json)
  if (pin === undefined && isWithoutPin(link)) {
    const details = {
      expected: 'tx_code',
      verdictSource: "the offer's link",
      level: 'practice',
    } as const
    endCheck(broken(`${name} created an offer without a PIN.`, details))
  }
  if (pin === undefined) {
    endCheck(
      inconclusive(`${name} returned no PIN. Return it as the member "pin" of JSON, a string.`),
    )
  }
  return { link, pin }
}

/** True for a link by value whose grant has no tx_code. */
function isWithoutPin(link: string): boolean {
  const parsed = parseCredentialOfferUri(link)
  return parsed.ok && parsed.delivery === 'value' && parsed.offer.txCode === undefined
}

function pinIn(json: unknown): string | undefined {
  if (typeof json !== 'object' || json === null || !('pin' in json)) return undefined
  // A number has lost its leading zeros.
  return typeof json.pin === 'string' ? json.pin : undefined
}
