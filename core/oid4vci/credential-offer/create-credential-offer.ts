import { preAuthorizedCodeGrant } from '../grant-types.ts'
import type { CredentialOffer, CredentialOfferWire } from './z-credential-offer.ts'

/**
 * The wire form of an offer of the pre-authorized code flow (Document 1, credential_offer object).
 * `tx_code` is left out entirely where no PIN is required.
 *
 * @row 1.resources-and-their-fields/credential-offer-object.1..4
 */
export function createCredentialOffer({
  credentialIssuer,
  credentials,
  preAuthorizedCode,
  txCode,
}: CredentialOffer): CredentialOfferWire {
  if (preAuthorizedCode === undefined) {
    return { credential_issuer: credentialIssuer, credentials: [...credentials] }
  }
  const txCodeWire = txCode && {
    ...(txCode.length === undefined ? {} : { length: txCode.length }),
    ...(txCode.inputMode === undefined ? {} : { input_mode: txCode.inputMode }),
    ...(txCode.description === undefined ? {} : { description: txCode.description }),
  }
  return {
    credential_issuer: credentialIssuer,
    credentials: [...credentials],
    grants: {
      [preAuthorizedCodeGrant]: {
        'pre-authorized_code': preAuthorizedCode,
        ...(txCodeWire ? { tx_code: txCodeWire } : {}),
      },
    },
  }
}
