import { findLink } from '#core/link/find-link.ts'
import { endCheck, inconclusive } from '../../kit/check.ts'
import type { CallVerbOptions } from '../../targets/adapters/call-verb.ts'
import { callVerb } from '../../targets/adapters/call-verb.ts'
import type { IssuerTarget } from './z-target.ts'

/** What an offer is to be like: with a PIN, by reference, with a credential that is not ready yet. */
export type OfferKind = 'plain' | 'pin' | 'reference' | 'deferred'

/** The verbs that make them. */
export const offerVerbs = {
  plain: 'create-offer',
  pin: 'create-offer-with-pin',
  reference: 'create-offer-by-reference',
  deferred: 'create-deferred-offer',
} as const satisfies Record<OfferKind, string>

export interface MadeOffer {
  /** Of the link's scheme `openid-credential-offer:`, or as a wallet registers https addresses. */
  readonly link: string
  /** Where the target told one. */
  readonly pin?: string
}

/**
 * Has the issuer under test make an offer. The link is found in whatever the verb answers, the PIN in
 * the member `pin` of JSON. Ends the check as inconclusive where there is none.
 */
export async function makeOffer(
  { adapter, pin: fixedPin }: IssuerTarget,
  kind: OfferKind,
  options: CallVerbOptions,
): Promise<MadeOffer> {
  const name = offerVerbs[kind]
  const verb = adapter[name]
  if (verb === undefined) endCheck(inconclusive(`The target has no verb ${name}.`))
  const { outcome, reason, text, json } = await callVerb(verb, name, {}, options)
  if (outcome !== 'done') endCheck(inconclusive(`There is no offer to check. ${reason}`))
  const link = findLink(text, 'offer')?.link
  if (link === undefined) {
    endCheck(inconclusive(`${name} answered no link of an offer: ${text.slice(0, 200)}`))
  }
  if (kind !== 'pin') return { link }
  const pin = fixedPin ?? pinIn(json)
  if (pin === undefined) {
    endCheck(inconclusive(`${name} answered no PIN; give it as member "pin" of JSON.`))
  }
  return { link, pin }
}

function pinIn(json: unknown): string | undefined {
  if (typeof json !== 'object' || json === null || !('pin' in json)) return undefined
  return typeof json.pin === 'string' || typeof json.pin === 'number' ? String(json.pin) : undefined
}
