import { randomBytes } from 'node:crypto'
import { Oauth2ServerErrorResponseError } from '@openid4vc/oauth2'
import { getCredentialConfigurationsMatchingRequestFormat } from '@openid4vc/openid4vci'
import type { Request } from 'express'
import { createCredential, type IssuerIdentity } from './create-credential.ts'
import { configurationId, type Issuer, type Sessions } from './create-issuer.ts'

/** The answer to a credential request. @throws what oid4vc-ts has for errors */
export async function answerCredentialRequest(
  { issuer, issuerMetadata, resourceServer, baseUrl, requestLike, ...rest }: Issuer,
  sessions: Sessions,
  identity: IssuerIdentity,
  request: Request,
) {
  const { tokenPayload } = await resourceServer.verifyResourceRequest({
    authorizationServers: [rest.authorizationServerMetadata],
    request: requestLike(request),
    resourceServer: baseUrl,
  })
  const session = sessions.get(String(tokenPayload.sub))
  const credentialRequest = issuer.parseCredentialRequest({
    issuerMetadata,
    credentialRequest: request.body ?? {},
  })
  const { format: requestFormat } = credentialRequest
  const asked = requestFormat
    ? getCredentialConfigurationsMatchingRequestFormat({ requestFormat, issuerMetadata })
    : {}
  if (asked[configurationId] === undefined) {
    throw new Oauth2ServerErrorResponseError({ error: 'unsupported_credential_type' })
  }
  const [jwt] = credentialRequest.proofs?.jwt ?? []
  if (jwt === undefined || session?.nonce === undefined) {
    throw new Oauth2ServerErrorResponseError({ error: 'invalid_proof' })
  }
  const { signer } = await issuer.verifyCredentialRequestJwtProof({
    issuerMetadata,
    jwt,
    expectedNonce: session.nonce,
  })
  if (signer.method !== 'did') throw new Oauth2ServerErrorResponseError({ error: 'invalid_proof' })
  session.nonce = randomBytes(32).toString('base64url')
  const [holderDid = ''] = signer.didUrl.split('#')
  const credential = await createCredential(identity, holderDid)
  return issuer.createCredentialResponse({ credentialRequest, credential })
}
