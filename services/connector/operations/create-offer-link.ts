import {
  type CredentialOfferWire,
  createCredentialOffer,
  createCredentialOfferReferenceUri,
  createCredentialOfferUri,
} from '#core/oid4vci/credential-offer.ts'
import type { IssuanceRow } from '../adapters/connector-tables.ts'
import { digestOf } from '../adapters/issuance-store.ts'
import { type ConnectorConfig, credentialIssuerOf } from '../config.ts'

type OfferRow = Pick<IssuanceRow, 'vc_names' | 'tx_code'>

/** The name by which an offer by reference is fetched: only whoever knows the code can tell it. */
export const referenceOf = (preauthCode: string): string => digestOf(`reference of ${preauthCode}`)

/** The offer of an issuance in its wire form. */
export function createOffer(
  { vc_names, tx_code }: OfferRow,
  preauthCode: string,
  config: ConnectorConfig,
): CredentialOfferWire {
  return createCredentialOffer({
    credentialIssuer: credentialIssuerOf(config),
    credentials: JSON.parse(vc_names),
    preAuthorizedCode: preauthCode,
    ...(tx_code === null ? {} : { txCode: JSON.parse(tx_code) }),
  })
}

/** The link that a QR code, a mail or a redirect carries. */
export function createOfferLink(
  issuance: OfferRow,
  preauthCode: string,
  config: ConnectorConfig,
  delivery: 'value' | 'reference' = config.offerDelivery,
): string {
  return delivery === 'value'
    ? createCredentialOfferUri(createOffer(issuance, preauthCode, config))
    : createCredentialOfferReferenceUri(
        `${credentialIssuerOf(config)}/offers/${referenceOf(preauthCode)}`,
      )
}
