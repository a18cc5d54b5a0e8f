import { randomBytes, randomInt } from 'node:crypto'
import type { AddressInfo } from 'node:net'
import {
  Oauth2ResourceUnauthorizedError,
  Oauth2ServerErrorResponseError,
  preAuthorizedCodeGrantIdentifier,
} from '@openid4vc/oauth2'
import { getCredentialConfigurationsMatchingRequestFormat } from '@openid4vc/openid4vci'
import express, { type ErrorRequestHandler, type Request } from 'express'
import {
  configurationId,
  createCredential,
  createIssuer,
  type Issuer,
  type IssuerIdentity,
  type Sessions,
} from './create-issuer.ts'

/** Starts the issuer on loopback: metadata, offers, token and credential endpoint; gives its address. */
export async function serveIssuer(
  options: IssuerIdentity & { readonly port: number },
): Promise<string> {
  const app = express()
  const server = app.listen(options.port, '127.0.0.1')
  await new Promise((resolve) => server.once('listening', resolve))
  const baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const issuer = await createIssuer(baseUrl)
  const sessions: Sessions = new Map()
  const offers = new Map<string, object>()

  app.get('/.well-known/openid-credential-issuer', (_request, response) => {
    const { credentialIssuer } = issuer.issuerMetadata
    response.json(issuer.issuer.getCredentialIssuerMetadataDraft11(credentialIssuer))
  })
  app.post('/offers', express.json(), async (request, response) => {
    response.json(await makeOffer(issuer, sessions, offers, request.body ?? {}))
  })
  app.get('/offers/:id', (request, response) => {
    const offer = offers.get(request.params.id)
    if (offer) response.json(offer)
    else response.status(404).json({ error: 'not_found' })
  })
  app.post('/token', express.urlencoded({ extended: false }), async (request, response) => {
    const answer = await answerTokenRequest(issuer, sessions, request)
    response.set('cache-control', 'no-store').json(answer)
  })
  app.post('/credential', express.json(), async (request, response) => {
    const answer = await answerCredentialRequest(issuer, sessions, options, request)
    response.set('cache-control', 'no-store').json(answer)
  })
  app.use(answerError)
  return baseUrl
}

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

interface OfferOrder {
  readonly tx_code?: boolean
  readonly by_reference?: boolean
}

const offerSeconds = 300

/** Makes an offer, and keeps it by its address if it is requested by reference. */
async function makeOffer(
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

const tokenSeconds = 86_400

/** The answer to a token request. @throws Oauth2ServerErrorResponseError */
async function answerTokenRequest(
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

/** The answer to a credential request. @throws what oid4vc-ts has for errors */
async function answerCredentialRequest(
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
