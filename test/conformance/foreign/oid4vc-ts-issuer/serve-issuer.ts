import type { AddressInfo } from 'node:net'
import { Oauth2ResourceUnauthorizedError, Oauth2ServerErrorResponseError } from '@openid4vc/oauth2'
import express, { type ErrorRequestHandler } from 'express'
import { answerCredentialRequest } from './answer-credential-request.ts'
import { answerTokenRequest } from './answer-token-request.ts'
import type { IssuerIdentity } from './create-credential.ts'
import { createIssuer, type Sessions } from './create-issuer.ts'
import { makeOffer } from './make-offer.ts'

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
