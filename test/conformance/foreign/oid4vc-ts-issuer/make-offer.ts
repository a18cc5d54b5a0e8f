import { randomBytes, randomInt } from 'node:crypto'
import { preAuthorizedCodeGrantIdentifier } from '@openid4vc/oauth2'
import { configurationId, type Issuer, type Sessions } from './create-issuer.ts'

export interface OfferOrder {
  readonly tx_code?: boolean
  readonly by_reference?: boolean
}

const offerSeconds = 300

/** Makes an offer, and keeps it by its address if it is requested by reference. */
export async function makeOffer(
  { issuer, issuerMetadata, baseUrl }: Issuer,
  sessions: Sessions,
  offers: Map<string, object>,
  order: OfferOrder,
) {
  const code = randomBytes(32).toString('base64url')
  const pin = order.tx_code ? String(randomInt(100_000, 1_000_000)) : undefined
  const expiresAt = new Date(Date.now() + offerSeconds * 1000)
  sessions.set(code, { expiresAt, ...(pin !== undefined && { pin }) })
  const id = randomBytes(16).toString('base64url')
  const { credentialOffer, credentialOfferObject } = await issuer.createCredentialOffer({
    issuerMetadata,
    credentialConfigurationIds: [configurationId],
    ...(order.by_reference && { credentialOfferUri: `${baseUrl}/offers/${id}` }),
    grants: {
      [preAuthorizedCodeGrantIdentifier]: {
        'pre-authorized_code': code,
        ...(pin !== undefined && {
          tx_code: { length: pin.length, input_mode: 'numeric' as const, description: 'PIN' },
        }),
      },
    },
  })
  if (order.by_reference) offers.set(id, credentialOfferObject)
  return { offer_uri: credentialOffer, pin }
}
