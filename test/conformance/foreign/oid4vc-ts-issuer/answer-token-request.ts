import { randomBytes } from 'node:crypto'
import { Oauth2ServerErrorResponseError, preAuthorizedCodeGrantIdentifier } from '@openid4vc/oauth2'
import type { Request } from 'express'
import type { Issuer, Sessions } from './create-issuer.ts'

const tokenSeconds = 86_400

/** The answer to a token request. @throws Oauth2ServerErrorResponseError */
export async function answerTokenRequest(
  { authorizationServer, authorizationServerMetadata, accessTokenJwk, ...issuer }: Issuer,
  sessions: Sessions,
  request: Request,
) {
  const { baseUrl, requestLike } = issuer
  const { grant, accessTokenRequest } = authorizationServer.parseAccessTokenRequest({
    accessTokenRequest: request.body ?? {},
    request: requestLike(request),
  })
  if (grant.grantType !== preAuthorizedCodeGrantIdentifier) {
    throw new Oauth2ServerErrorResponseError({ error: 'unsupported_grant_type' })
  }
  const code = grant.preAuthorizedCode
  const session = sessions.get(code)
  await authorizationServer.verifyPreAuthorizedCodeAccessTokenRequest({
    authorizationServerMetadata,
    grant,
    accessTokenRequest,
    request: requestLike(request),
    // Glue: codes are kept, and used once.
    expectedPreAuthorizedCode: session && session.nonce === undefined ? code : '',
    ...(session?.pin !== undefined && { expectedTxCode: session.pin }),
    ...(session && { preAuthorizedCodeExpiresAt: session.expiresAt }),
  })
  const cNonce = randomBytes(32).toString('base64url')
  if (session) session.nonce = cNonce
  return authorizationServer.createAccessTokenResponse({
    audience: baseUrl,
    authorizationServer: baseUrl,
    expiresInSeconds: tokenSeconds,
    subject: code,
    signer: { method: 'jwk', alg: 'EdDSA', publicJwk: accessTokenJwk },
    cNonce,
    cNonceExpiresIn: tokenSeconds,
  })
}
