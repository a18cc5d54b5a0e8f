import type { CredentialOfferWire } from './z-credential-offer.ts'

const scheme = 'openid-credential-offer://'

/**
 * The link that carries an offer by value (Document 1, credential_offer object).
 *
 * @row 1.resources-and-their-fields/credential-offer-object.5
 */
export function createCredentialOfferUri(offer: CredentialOfferWire): string {
  return `${scheme}?credential_offer=${encodeURIComponent(JSON.stringify(offer))}`
}

/**
 * The link that carries the address of an offer (Document 1, credential_offer object).
 *
 * @row 1.resources-and-their-fields/credential-offer-object.6
 */
export function createCredentialOfferReferenceUri(credentialOfferUri: string): string {
  return `${scheme}?credential_offer_uri=${encodeURIComponent(credentialOfferUri)}`
}
