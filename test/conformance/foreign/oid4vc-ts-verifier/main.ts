// A verifier made of oid4vc-ts and Express, with did-jwt and jose behind its callbacks. `node main.ts
// --port N` prints its address. `POST /sessions` gives `{"link", "session"}`, `GET /sessions/ID` gives
// `{"status"}`. DIDs of issuers resolve where TESTBED_DID_REGISTRY_URL says.
import { randomBytes } from 'node:crypto'
import type { AddressInfo } from 'node:net'
import { parseArgs } from 'node:util'
import { setGlobalConfig } from '@openid4vc/oauth2'
import { Openid4vpVerifier } from '@openid4vc/openid4vp'
import { verifyJWT } from 'did-jwt'
import { Resolver } from 'did-resolver'
import express from 'express'
import { importJWK, SignJWT } from 'jose'
import { getResolver } from 'key-did-resolver'
import { resolveDidJwk, resolveOrgDidAt } from '../shared-glue.ts'

/** The verifier's key, the same in each run so that a target file can name it; it guards nothing. */
const privateJwk = {
  crv: 'Ed25519',
  d: 'cyev5N7tl0uW9GcdDVoLY3bHSN3tZv-Y-Q-V2H9bLgg',
  x: 'kU5M1cBrRQzfNu2HiS5SqBJYY4PwdMB2wkgWnDyqMCM',
  kty: 'OKP',
} as const

const { d, ...publicJwk } = privateJwk

const did = `did:jwk:${Buffer.from(JSON.stringify(publicJwk)).toString('base64url')}`
const didUrl = `${did}#0`

type Request = Parameters<
  Openid4vpVerifier['createOpenId4vpAuthorizationRequest']
>[0]['authorizationRequestPayload']

interface Session {
  readonly request: Request
  readonly jwt: string
  status: 'PENDING' | 'SUCCESS' | 'FAILED'
}

const queryId = 'lear_credential'
const random = () => randomBytes(24).toString('base64url')
const unused = () => {
  throw new Error('no such callback is needed here')
}

/** Starts the verifier on loopback: requests by reference, responses by direct_post. */
async function serveVerifier(options: {
  readonly port: number
  readonly didRegistryUrl: string
}): Promise<string> {
  const sessions = new Map<string, Session>()
  const callbacks = {
    hash: unused,
    decryptJwe: unused,
    encryptJwe: unused,
    verifyJwt: unused,
    async signJwt(_signer: unknown, { header, payload }: { header: object; payload: object }) {
      const jwt = await new SignJWT({ ...payload })
        .setProtectedHeader(header as { alg: string })
        .sign(await importJWK(privateJwk, 'EdDSA'))
      const { d, ...signerJwk } = privateJwk
      return { jwt, signerJwk }
    },
  }
  const verifier = new Openid4vpVerifier({ callbacks })
  const app = express()
  const server = app.listen(options.port, '127.0.0.1')
  await new Promise((resolve) => server.once('listening', resolve))
  const baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`

  app.post('/sessions', async (_request, response) => {
    const session = random()
    const { authorizationRequest, authorizationRequestPayload, jar } =
      await verifier.createOpenId4vpAuthorizationRequest({
        authorizationRequestPayload: {
          response_type: 'vp_token',
          response_mode: 'direct_post',
          response_uri: `${baseUrl}/responses/${session}`,
          // Of 1.0 it would begin with decentralized_identifier:.
          client_id: did,
          nonce: random(),
          state: random(),
          dcql_query: {
            credentials: [
              {
                id: queryId,
                format: 'jwt_vc_json',
                // Glue: 1.0 has type_values for this format.
                meta: { vct_values: ['OrgPortalLearCredential'] },
              },
            ],
          },
        },
        jar: {
          requestUri: `${baseUrl}/requests/${session}`,
          expiresInSeconds: 300,
          jwtSigner: { method: 'did', didUrl, alg: 'EdDSA' },
        },
      })
    const jwt = jar?.authorizationRequestJwt ?? ''
    sessions.set(session, { request: authorizationRequestPayload, jwt, status: 'PENDING' })
    response.json({ link: authorizationRequest, session })
  })

  app.get('/requests/:session', (request, response) => {
    const found = sessions.get(request.params.session)
    if (found) response.type('application/oauth-authz-req+jwt').send(found.jwt)
    else response.status(404).end()
  })

  app.post(
    '/responses/:session',
    express.urlencoded({ extended: false }),
    async (request, response) => {
      const session = sessions.get(String(request.params.session))
      if (!session || !request.body) return void response.status(400).end()
      const { presentation_submission, ...form } = request.body
      try {
        const parsed = await verifier.parseOpenid4vpAuthorizationResponse({
          authorizationRequestPayload: session.request,
          // Glue: with a dcql_query the library accepts only the vp_token of 1.0, an object.
          authorizationResponse: {
            ...form,
            vp_token: JSON.stringify({ [queryId]: form.vp_token }),
          },
          callbacks,
        })
        if (parsed.type !== 'dcql') throw new Error('this is not a response to a dcql_query')
        const [presentation] = parsed.dcql.presentations[queryId] ?? []
        await verifyPresentation(String(presentation), {
          audience: did,
          nonce: parsed.expectedNonce,
          didRegistryUrl: options.didRegistryUrl,
        })
        if (session.status === 'PENDING') session.status = 'SUCCESS'
      } catch {
        if (session.status === 'PENDING') session.status = 'FAILED'
      }
      response.json({})
    },
  )

  app.get('/health', (_request, response) => response.json({ status: 'ok' }))

  app.get('/sessions/:session', (request, response) => {
    const { status } = sessions.get(request.params.session) ?? {}
    response.status(status ? 200 : 404).json({ status })
  })
  return baseUrl
}

interface ExpectedPresentation {
  readonly audience: string
  readonly nonce: string
  readonly didRegistryUrl: string
}

/**
 * Glue: oid4vc-ts hands presentations over and does not verify them. did-jwt verifies the signature,
 * the times and the audience of the presentation, and signature and times of the credential in it.
 * @throws if one of these is not valid
 */
async function verifyPresentation(
  presentation: string,
  { audience, nonce, didRegistryUrl }: ExpectedPresentation,
): Promise<void> {
  const resolver = new Resolver({
    ...getResolver(),
    jwk: resolveDidJwk,
    org: resolveOrgDidAt(didRegistryUrl),
  })
  const holder = await verifyJWT(presentation, { resolver, audience })
  if (holder.payload.nonce !== nonce) throw new Error('a different nonce')
  const [credential] = holder.payload.vp.verifiableCredential
  const issued = await verifyJWT(String(credential), { resolver })
  if (issued.payload.sub !== holder.issuer)
    throw new Error('the credential has a different subject')
}

const { values } = parseArgs({ options: { port: { type: 'string', default: '0' } } })

// The library refuses http otherwise; a test runs on loopback addresses.
setGlobalConfig({ allowInsecureUrls: true })

const { TESTBED_DID_REGISTRY_URL: didRegistryUrl = '' } = process.env
console.log(await serveVerifier({ port: Number(values.port), didRegistryUrl }))
