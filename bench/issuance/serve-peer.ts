// The peer in a separate process: oid4vc-ts behind Express, with the work of our connector. On
// request of an issuer it creates an offer, requests the claims from the issuer, and confirms the
// delivery. Proof and credential use the same curve, the database is of the same kind, and there
// are as many exchanges. With the argument `lean` it keeps everything in memory, knows the claims,
// and has no issuer behind it.

import {
  createHash,
  createPrivateKey,
  generateKeyPairSync,
  randomBytes,
  randomUUID,
} from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import {
  type CallbackContext,
  type JwtSigner,
  Oauth2AuthorizationServer,
  Oauth2ResourceServer,
} from '@openid4vc/oauth2'
import { Openid4vciIssuer, Openid4vciVersion, setGlobalConfig } from '@openid4vc/openid4vci'
import express from 'express'
import { privateJwkFromHex } from '#core/crypto/jwk.ts'
import { createLearCredential } from '#core/lear-credential/lear-credential.ts'
import { listen } from '#testbed/process/listen.ts'
import { keyOfDidKey, readToken, signToken, verifyToken } from '../peer-tokens.ts'
import { benchIssuer, benchMandate } from './bench-issuer.ts'
import { startPeerRecords } from './peer-records.ts'
import { createMemorySessions, openSqliteSessions } from './peer-sessions.ts'

setGlobalConfig({ allowInsecureUrls: true })
const isLean = process.argv[2] === 'lean'
const folder = mkdtempSync(join(tmpdir(), 'bench-oid4vc-ts-'))
const listener = await listen('127.0.0.1', 0, 'oid4vc-ts')
const connectorUrl = `http://127.0.0.1:${listener.port}`
const records = isLean ? undefined : await startPeerRecords(`${folder}/issuer.sqlite`, connectorUrl)
const sessions = isLean ? createMemorySessions() : openSqliteSessions(`${folder}/connector.sqlite`)
const baseUrl = records?.url ?? connectorUrl
const grantType = 'urn:ietf:params:oauth:grant-type:pre-authorized_code'

const credentialKey = createPrivateKey({
  key: { ...privateJwkFromHex(benchIssuer.issuerPrivateKey) },
  format: 'jwk',
})
const accessTokenKeys = generateKeyPairSync('ed25519')
const accessTokenJwk = {
  ...(accessTokenKeys.publicKey.export({ format: 'jwk' }) as { kty: string }),
  kid: 'access',
  alg: 'EdDSA',
}

const callbacks = {
  hash: (data: Uint8Array, algorithm: string) =>
    createHash(algorithm.replace('-', '')).update(data).digest(),
  generateRandom: (length: number) => randomBytes(length),
  signJwt: async (
    _signer: JwtSigner,
    { header, payload }: { header: object; payload: object },
  ) => ({
    jwt: signToken(header, payload, accessTokenKeys.privateKey),
    signerJwk: accessTokenJwk,
  }),
  async verifyJwt(signer: JwtSigner, { compact }: { compact: string }) {
    if (signer.method !== 'did') {
      verifyToken(compact, accessTokenKeys.publicKey)
      return { verified: true, signerJwk: accessTokenJwk }
    }
    verifyToken(compact, keyOfDidKey(signer.didUrl.split('#')[0] ?? ''))
    if (readToken(compact).payload.aud !== baseUrl) throw new Error('another audience')
    return { verified: true, signerJwk: { kty: 'EC', crv: 'secp256k1' } }
  },
  // Its own key set, which a resource server would otherwise fetch for every request.
  fetch: async () => Response.json({ keys: [accessTokenJwk] }),
} as unknown as CallbackContext

const issuer = new Openid4vciIssuer({ callbacks })
const authorizationServer = new Oauth2AuthorizationServer({ callbacks })
const resourceServer = new Oauth2ResourceServer({ callbacks })

const configurationId = 'OrgPortalLearCredential'
const types = ['VerifiableCredential', 'LEARCredential', configurationId]
const credentialIssuer = issuer.createCredentialIssuerMetadata({
  credential_issuer: baseUrl,
  credential_endpoint: `${baseUrl}/credential`,
  credential_configurations_supported: {
    [configurationId]: {
      format: 'jwt_vc_json',
      credential_definition: { type: types },
      cryptographic_binding_methods_supported: ['did:key', 'did:jwk'],
      credential_signing_alg_values_supported: ['ES256K'],
      proof_types_supported: { jwt: { proof_signing_alg_values_supported: ['ES256K', 'EdDSA'] } },
    },
  },
})
const authorizationServerMetadata = authorizationServer.createAuthorizationServerMetadata({
  issuer: baseUrl,
  token_endpoint: `${baseUrl}/token`,
  jwks_uri: `${baseUrl}/jwks`,
  'pre-authorized_grant_anonymous_access_supported': true,
})
const issuerMetadata = {
  originalDraftVersion: Openid4vciVersion.V1,
  credentialIssuer,
  authorizationServers: [authorizationServerMetadata],
  knownCredentialConfigurations: issuer.getKnownCredentialConfigurationsSupported(credentialIssuer),
}

const app = express()
app.use(express.json(), express.urlencoded({ extended: false }))

const requestLike = (request: express.Request) => ({
  headers: new Headers(request.headers as Record<string, string>),
  method: 'POST' as const,
  url: `${baseUrl}${request.url}`,
})
const seconds = () => Math.floor(Date.now() / 1000)

app.post('/offers', async (request, response) => {
  const code = randomBytes(32).toString('base64url')
  const subject_id: string = request.body?.subject_id ?? randomUUID()
  sessions.insert(subject_id, code, seconds() + 300)
  const { credentialOffer } = await issuer.createCredentialOffer({
    issuerMetadata,
    credentialConfigurationIds: [configurationId],
    grants: { [grantType]: { 'pre-authorized_code': code } },
  })
  response.json({ offer_uri: credentialOffer, subject_id })
})

app.post('/token', async (request, response) => {
  const parsed = authorizationServer.parseAccessTokenRequest({
    accessTokenRequest: request.body,
    request: requestLike(request),
  })
  if (parsed.grant.grantType !== grantType) throw new Error('another grant')
  const code = parsed.grant.preAuthorizedCode
  const session = sessions.findByCode(code)
  if (session?.state !== 'offered') throw new Error('unknown offer')
  await authorizationServer.verifyPreAuthorizedCodeAccessTokenRequest({
    authorizationServerMetadata,
    grant: parsed.grant,
    accessTokenRequest: parsed.accessTokenRequest,
    request: requestLike(request),
    expectedPreAuthorizedCode: code,
    preAuthorizedCodeExpiresAt: new Date(session.expires_at * 1000),
  })
  const cNonce = randomBytes(32).toString('base64url')
  if (!sessions.redeem(session.id, cNonce, seconds() + 86_400)) throw new Error('used')
  const answer = await authorizationServer.createAccessTokenResponse({
    audience: baseUrl,
    authorizationServer: baseUrl,
    expiresInSeconds: 86_400,
    subject: session.id,
    signer: { method: 'jwk', alg: 'EdDSA', publicJwk: accessTokenJwk },
    cNonce,
    cNonceExpiresIn: 86_400,
  })
  response.set('cache-control', 'no-store').json(answer)
})

app.post('/credential', async (request, response) => {
  const { tokenPayload } = await resourceServer.verifyResourceRequest({
    authorizationServers: [authorizationServerMetadata],
    request: requestLike(request),
    resourceServer: baseUrl,
  })
  const session = sessions.find(String(tokenPayload.sub))
  if (session?.state !== 'redeemed') throw new Error('unknown session')
  const credentialRequest = issuer.parseCredentialRequest({
    issuerMetadata,
    credentialRequest: request.body,
  })
  const [jwt] = credentialRequest.proofs?.jwt ?? []
  if (jwt === undefined) throw new Error('no proof')
  const { signer, payload } = await issuer.verifyCredentialRequestJwtProof({
    issuerMetadata,
    jwt,
    expectedNonce: session.c_nonce,
    nonceExpiresAt: new Date(session.c_nonce_expires_at * 1000),
  })
  if (signer.method !== 'did') throw new Error('not a DID')
  const asked = await records?.post('/issuance/claims', { subject_id: session.id })
  const now = seconds()
  const claims = createLearCredential({
    id: asked?.credential_id ?? `urn:uuid:${randomUUID()}`,
    issuerDid: benchIssuer.issuerDid,
    holderDid: String(payload.iss),
    mandate: asked?.claims.mandate ?? benchMandate,
    termsOfUseUrl: benchIssuer.accreditationUrl,
    now,
    validUntil: now + 365 * 86_400,
  })
  const kid = `${benchIssuer.issuerDid}#${benchIssuer.issuerVMethodId}`
  const credential = signToken({ alg: 'ES256K', typ: 'JWT', kid }, claims, credentialKey)
  if (!sessions.issue(session.id, session.c_nonce, credential)) {
    throw new Error('the nonce was already used')
  }
  const credentialResponse = issuer.createCredentialResponse({
    credentialRequest,
    credentials: [{ credential }],
  })
  response.once('finish', async () => {
    await records?.post('/issuance/notifications', {
      subject_id: session.id,
      credential_id: claims.jti,
      event: 'issued',
    })
    sessions.settle(session.id)
    if (isLean) process.send?.({ recorded: session.id })
  })
  response.set('cache-control', 'no-store').json(credentialResponse)
})

listener.serve(app)
process.on('disconnect', async () => {
  await Promise.all([listener.close(), records?.close()])
  sessions.close()
  rmSync(folder, { recursive: true })
  process.exit(0)
})
process.send?.({ offersUrl: baseUrl, issuerUrl: baseUrl })
