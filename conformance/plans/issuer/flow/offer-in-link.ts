import { type CredentialOffer, parseCredentialOfferUri } from '#core/oid4vci/credential-offer.ts'
import { broken, endCheck, inconclusive } from '../../../kit/check.ts'

const verdictSource = "the offer's link"

/** The offer of a link by value; ends the check as broken where it is none. */
export function offerInLink(link: string): CredentialOffer {
  const parsed = parseCredentialOfferUri(link)
  if (!parsed.ok) {
    const { failures } = parsed
    endCheck(broken('The link holds no offer as documented.', { failures, verdictSource }))
  }
  if (parsed.delivery === 'value') return parsed.offer
  const told = 'create-offer made an offer by reference'
  endCheck(inconclusive(`${told}: have it make one by value for this.`, { verdictSource }))
}
