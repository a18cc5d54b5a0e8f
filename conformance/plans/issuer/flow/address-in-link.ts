import { parseCredentialOfferUri } from '#core/oid4vci/credential-offer.ts'
import { broken, endCheck, inconclusive } from '../../../kit/check.ts'

const verdictSource = "the offer's link"

/** The address in a link by reference; ends the check as broken where there is none. */
export function addressInLink(link: string): string {
  const parsed = parseCredentialOfferUri(link)
  if (!parsed.ok) {
    const { failures } = parsed
    endCheck(broken('The link holds no address of an offer.', { failures, verdictSource }))
  }
  if (parsed.delivery === 'reference') return parsed.credentialOfferUri
  const told = 'create-offer-by-reference made an offer by value'
  endCheck(inconclusive(`${told}: have it make one by reference.`, { verdictSource }))
}
