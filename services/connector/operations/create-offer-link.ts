import { createCredentialOffer } from '#core/oid4vci/credential-offer/create-credential-offer.ts'
import {
  createCredentialOfferReferenceUri,
  createCredentialOfferUri,
} from '#core/oid4vci/credential-offer/create-credential-offer-uri.ts'
import type { CredentialOfferWire } from '#core/oid4vci/credential-offer/z-credential-offer.ts'
import type { IssuanceRow } from '../adapters/connector-tables.ts'
import { type ConnectorConfig, credentialIssuerOf } from '../config.ts'

type OfferRow = Pick<IssuanceRow, 'id' | 'vc_names' | 'preauth_code' | 'tx_code'>

/** The offer of an issuance in its wire form. */
export function createOffer(
  { vc_names, preauth_code, tx_code }: OfferRow,
  config: ConnectorConfig,
): CredentialOfferWire {
  return createCredentialOffer({
    credentialIssuer: credentialIssuerOf(config),
    credentials: JSON.parse(vc_names),
    preAuthorizedCode: preauth_code,
    ...(tx_code === null ? {} : { txCode: JSON.parse(tx_code) }),
  })
}

/** The link that a QR code, a mail or a redirect carries. */
export function createOfferLink(
  issuance: OfferRow,
  config: ConnectorConfig,
  delivery: 'value' | 'reference' = config.offerDelivery,
): string {
  return delivery === 'value'
    ? createCredentialOfferUri(createOffer(issuance, config))
    : createCredentialOfferReferenceUri(`${credentialIssuerOf(config)}/offers/${issuance.id}`)
}
