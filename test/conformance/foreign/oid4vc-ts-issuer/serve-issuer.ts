import { randomBytes, randomInt } from 'node:crypto'
import type { AddressInfo } from 'node:net'
import {
  Oauth2AuthorizationServer,
  Oauth2ResourceServer,
  Oauth2ResourceUnauthorizedError,
  Oauth2ServerErrorResponseError,
  preAuthorizedCodeGrantIdentifier,
} from '@openid4vc/oauth2'
import {
  getCredentialConfigurationsMatchingRequestFormat,
  Openid4vciIssuer,
  Openid4vciVersion,
} from '@openid4vc/openid4vci'
import express, { type ErrorRequestHandler, type Request } from 'express'
import { createCallbacks } from './create-callbacks.ts'
import { createCredential, credentialTypes, type IssuerIdentity } from './create-credential.ts'

export interface RunningIssuer {
  readonly baseUrl: string
  close(): void
}

interface Session {
  readonly pin?: string
  readonly expiresAt: Date
  nonce?: string
}

const configurationId = 'OrgPortalLearCredential'
const offerSeconds = 300
const tokenSeconds = 86_400

/** Starts the issuer on loopback: metadata, token and credential endpoint, by what oid4vc-ts has. */
export async function serveIssuer(
  options: IssuerIdentity & { readonly port: number },
): Promise<RunningIssuer> {
  let baseUrl = ''
  const callbacks = await createCallbacks(() => baseUrl)
  const issuer = new Openid4vciIssuer({ callbacks })
  const authorizationServer = new Oauth2AuthorizationServer({ callbacks })
  const resourceServer = new Oauth2ResourceServer({ callbacks })
  const sessions = new Map<string, Session>()
  const offers = new Map<string, object>()

  const app = express()
  const server = app.listen(options.port, '127.0.0.1')
  await new Promise((resolve) => server.once('listening', resolve))
  baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`

  const credentialIssuer = issuer.createCredentialIssuerMetadata({
    credential_issuer: baseUrl,
    credential_endpoint: `${baseUrl}/credential`,
    // Draft 11 had no metadata of an authorization server of its own beside the issuer's.
    token_endpoint: `${baseUrl}/token`,
    credential_configurations_supported: {
      [configurationId]: {
        id: configurationId,
        format: 'jwt_vc_json',
        credential_definition: { type: [...credentialTypes] },
        cryptographic_binding_methods_supported: ['did:key', 'did:jwk'],
        credential_signing_alg_values_supported: ['ES256K', 'EdDSA'],
      },
    },
  })
  const authorizationServerMetadata = authorizationServer.createAuthorizationServerMetadata({
    issuer: baseUrl,
    token_endpoint: `${baseUrl}/token`,
    jwks_uri: `${baseUrl}/jwks`,
  })
  const issuerMetadata = {
    // The version of oid4vc-ts that the documents' messages are closest to.
    originalDraftVersion: Openid4vciVersion.Draft11,
    credentialIssuer,
    authorizationServers: [authorizationServerMetadata],
    knownCredentialConfigurations:
      issuer.getKnownCredentialConfigurationsSupported(credentialIssuer),
  }
  const requestLike = (request: Request) => ({
    headers: new Headers(request.headers as Record<string, string>),
    method: 'POST' as const,
    url: `${baseUrl}${request.url}`,
  })

  const readJson = express.json()
  const readForm = express.urlencoded({ extended: false })

  app.get('/.well-known/openid-credential-issuer', (_request, response) => {
    response.json(issuer.getCredentialIssuerMetadataDraft11(credentialIssuer))
  })

  app.post('/offers', readJson, async (request, response) => {
    const code = randomBytes(32).toString('base64url')
    const pin = request.body?.tx_code ? String(randomInt(100_000, 1_000_000)) : undefined
    const expiresAt = new Date(Date.now() + offerSeconds * 1000)
    sessions.set(code, { expiresAt, ...(pin !== undefined && { pin }) })
    const credentialOfferUri = request.body?.by_reference
      ? `${baseUrl}/offers/${randomBytes(16).toString('base64url')}`
      : undefined
    const { credentialOffer, credentialOfferObject } = await issuer.createCredentialOffer({
      issuerMetadata,
      ...(credentialOfferUri !== undefined && { credentialOfferUri }),
      credentialConfigurationIds: [configurationId],
      grants: {
        [preAuthorizedCodeGrantIdentifier]: {
          'pre-authorized_code': code,
          ...(pin !== undefined && {
            tx_code: { length: pin.length, input_mode: 'numeric' as const, description: 'PIN' },
          }),
        },
      },
    })
    if (credentialOfferUri !== undefined) offers.set(credentialOfferUri, credentialOfferObject)
    response.json({ offer_uri: credentialOffer, pin })
  })

  app.get('/offers/:id', (request, response) => {
    const offer = offers.get(`${baseUrl}/offers/${request.params.id}`)
    if (offer) response.json(offer)
    else response.status(404).json({ error: 'not_found' })
  })

  app.post('/token', readForm, async (request, response) => {
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
    const answer = await authorizationServer.createAccessTokenResponse({
      audience: baseUrl,
      authorizationServer: baseUrl,
      expiresInSeconds: tokenSeconds,
      subject: code,
      signer: { method: 'jwk', alg: 'EdDSA', publicJwk: callbacks.accessTokenJwk },
      cNonce,
      cNonceExpiresIn: tokenSeconds,
    })
    response.set('cache-control', 'no-store').json(answer)
  })

  app.post('/credential', readJson, async (request, response) => {
    const { tokenPayload } = await resourceServer.verifyResourceRequest({
      authorizationServers: [authorizationServerMetadata],
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
    if (signer.method !== 'did')
      throw new Oauth2ServerErrorResponseError({ error: 'invalid_proof' })
    session.nonce = randomBytes(32).toString('base64url')
    const [holderDid = ''] = signer.didUrl.split('#')
    const credential = await createCredential(options, holderDid)
    response
      .set('cache-control', 'no-store')
      .json(issuer.createCredentialResponse({ credentialRequest, credential }))
  })

  const answerError: ErrorRequestHandler = (error, _request, response, _next) => {
    if (error instanceof Oauth2ResourceUnauthorizedError) {
      response.status(401).set('www-authenticate', error.toHeaderValue()).end()
    } else if (error instanceof Oauth2ServerErrorResponseError) {
      response.status(error.status).json(error.errorResponse)
    } else {
      // A body that Express can't read has its status.
      response.status(error.status ?? 500).json({ error: 'server_error' })
    }
  }
  app.use(answerError)
  return { baseUrl, close: () => server.close() }
}
