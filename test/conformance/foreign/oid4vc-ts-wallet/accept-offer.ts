import { type CallbackContext, preAuthorizedCodeGrantIdentifier } from '@openid4vc/oauth2'
import { Openid4vciClient } from '@openid4vc/openid4vci'
import type { Account } from './open-store.ts'

export interface AcceptOfferOptions {
  readonly callbacks: CallbackContext
  readonly account: Account
  readonly link: string
  readonly pin: string | undefined
}

/** Takes the first credential of an offer by the pre-authorized code flow, as oid4vc-ts does it. */
export async function acceptOffer(options: AcceptOfferOptions): Promise<string> {
  const { callbacks, account, link, pin } = options
  const client = new Openid4vciClient({ callbacks })
  const credentialOffer = await client.resolveCredentialOffer(link)
  const grant = credentialOffer.grants?.[preAuthorizedCodeGrantIdentifier]
  if (grant?.tx_code && pin === undefined) throw new Error('the offer requires a PIN')
  const issuerMetadata = await client.resolveIssuerMetadata(credentialOffer.credential_issuer)
  const { accessTokenResponse } = await client.retrievePreAuthorizedCodeAccessTokenFromOffer({
    credentialOffer,
    issuerMetadata,
    ...(grant?.tx_code && pin !== undefined && { txCode: pin }),
  })
  const [credentialConfigurationId = ''] = credentialOffer.credential_configuration_ids
  const nonce = issuerMetadata.credentialIssuer.nonce_endpoint
    ? (await client.requestNonce({ issuerMetadata })).c_nonce
    : accessTokenResponse.c_nonce
  const proof = await client.createCredentialRequestJwtProof({
    issuerMetadata,
    credentialConfigurationId,
    signer: { method: 'did', didUrl: account.didUrl, alg: 'EdDSA' },
    ...(nonce !== undefined && { nonce }),
    // Glue: becomes `iss`, which the profile wants to be the holder's DID. OpenID4VCI 1.0 leaves it
    // out where the token was obtained anonymously.
    clientId: account.did,
  })
  const { credentialResponse } = await client.retrieveCredentials({
    issuerMetadata,
    credentialConfigurationId,
    accessToken: accessTokenResponse.access_token,
    proof: { proof_type: 'jwt', jwt: proof.jwt },
  })
  const { credential, credentials } = credentialResponse
  const [first] = credentials ?? []
  const received = credential ?? (typeof first === 'object' ? first.credential : first)
  // Deferred issuance of the profile has an acceptance_token where the library knows none.
  if (typeof received !== 'string') throw new Error('no credential came')
  return received
}
