import type { CredentialOfferWire } from './z-credential-offer.ts'

const scheme = 'openid-credential-offer://'

/** The link that carries an offer by value (Document 1, credential_offer object). */
export function createCredentialOfferUri(offer: CredentialOfferWire): string {
  return `${scheme}?credential_offer=${encodeURIComponent(JSON.stringify(offer))}`
}

/** The link that carries the address of an offer (Document 1, credential_offer object). */
export function createCredentialOfferReferenceUri(credentialOfferUri: string): string {
  return `${scheme}?credential_offer_uri=${encodeURIComponent(credentialOfferUri)}`
}
