// The peer in a process of its own: oid4vc-ts behind Express, doing what our connector does: it is
// told by an issuer to make an offer, asks it for the claims, and confirms the delivery to it. The
// curve, the functions that sign and verify, the HTTP client and the kind of database are the same.
import { createHash, randomBytes } from 'node:crypto'
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
import { createPrivateJwk, privateJwkFromHex } from '#core/crypto/create-private-jwk.ts'
import { resolveHolderKey } from '#core/crypto/holder-did.ts'
import type { SigningAlgorithm } from '#core/crypto/jwk.ts'
import { parseJws } from '#core/crypto/parse-jws.ts'
import { publicJwkOf } from '#core/crypto/public-jwk-of.ts'
import { signJws } from '#core/crypto/sign-jws.ts'
import { verifyJws } from '#core/crypto/verify-jws.ts'
import { createLearCredential } from '#core/lear-credential/create-lear-credential.ts'
import { openSqlite } from '#kit/sqlite-database.ts'
import { listen } from '#testbed/listen.ts'
import { benchIssuer } from './bench-issuer.ts'
import { startPeerRecords } from './start-peer-records.ts'

setGlobalConfig({ allowInsecureUrls: true })
const folder = mkdtempSync(join(tmpdir(), 'bench-oid4vc-ts-'))
const listener = await listen('127.0.0.1', 0, 'oid4vc-ts')
const baseUrl = `http://127.0.0.1:${listener.port}`
const grantType = 'urn:ietf:params:oauth:grant-type:pre-authorized_code'

const database = openSqlite(`${folder}/connector.sqlite`)
database
  .prepare(
    `create table sessions (id text primary key, state text not null, code text not null unique,
      c_nonce text, c_nonce_expires_at integer, credential text, expires_at integer not null)`,
  )
  .run([])
interface Session {
  readonly id: string
  readonly state: string
  readonly c_nonce: string
  readonly c_nonce_expires_at: number
}
const insert = database.prepare(
  `insert into sessions (id, state, code, expires_at) values (?, 'offered', ?, ?)`,
)
const find = database.prepare('select * from sessions where id = ?')
const findByCode = database.prepare('select * from sessions where code = ?')
const redeem = database.prepare(
  `update sessions set state = 'redeemed', c_nonce = ?, c_nonce_expires_at = ?
    where id = ? and state = 'offered'`,
)
const issue = database.prepare(
  `update sessions set state = 'issued', credential = ?, c_nonce = null
    where id = ? and state = 'redeemed' and c_nonce = ?`,
)
// What stays in the state issued after a crash is what the issuer has to be told again.
const settle = database.prepare(`update sessions set state = 'notified' where id = ?`)

const issuerKey = privateJwkFromHex(benchIssuer.issuerPrivateKey)
const accessTokenKey = createPrivateJwk('Ed25519', Buffer.alloc(32, 7))
const accessTokenJwk = { ...publicJwkOf(accessTokenKey), kid: 'access', alg: 'EdDSA' }

const callbacks = {
  hash: (data: Uint8Array, algorithm: string) =>
    createHash(algorithm.replace('-', '')).update(data).digest(),
  generateRandom: (length: number) => randomBytes(length),
  async signJwt(_signer: JwtSigner, { header, payload }: { header: object; payload: object }) {
    const jwt = signJws({ header: header as never, payload, privateKey: accessTokenKey })
    return { jwt, signerJwk: accessTokenJwk }
  },
  async verifyJwt(signer: JwtSigner, { compact }: { compact: string }) {
    const jws = parseJws(compact)
    const publicKey =
      signer.method === 'did' ? resolveHolderKey(signer.didUrl)?.publicKey : accessTokenJwk
    if (!jws.ok || !publicKey) return { verified: false }
    const algorithms = [signer.alg as SigningAlgorithm]
    return verifyJws({ jws, publicKey, algorithms })
      ? { verified: true, signerJwk: publicKey }
      : { verified: false }
  },
  // Its own key set, which a resource server would otherwise fetch for every request.
  fetch: async () => Response.json({ keys: [accessTokenJwk] }),
} as unknown as CallbackContext

const issuer = new Openid4vciIssuer({ callbacks })
const authorizationServer = new Oauth2AuthorizationServer({ callbacks })
const resourceServer = new Oauth2ResourceServer({ callbacks })

const configurationId = 'OrgPortalLearCredential'
const types = ['VerifiableCredential', 'LEARCredential', configurationId]
const records = await startPeerRecords(`${folder}/issuer.sqlite`, baseUrl)
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
  insert.run([request.body.subject_id, code, seconds() + 300])
  const { credentialOffer } = await issuer.createCredentialOffer({
    issuerMetadata,
    credentialConfigurationIds: [configurationId],
    grants: { [grantType]: { 'pre-authorized_code': code } },
  })
  response.json({ offer_uri: credentialOffer })
})

app.post('/token', async (request, response) => {
  const parsed = authorizationServer.parseAccessTokenRequest({
    accessTokenRequest: request.body,
    request: requestLike(request),
  })
  if (parsed.grant.grantType !== grantType) throw new Error('another grant')
  const code = parsed.grant.preAuthorizedCode
  const [session] = findByCode.all([code]) as { id: string; state: string; expires_at: number }[]
  if (session?.state !== 'offered') throw new Error('no such offer')
  await authorizationServer.verifyPreAuthorizedCodeAccessTokenRequest({
    authorizationServerMetadata,
    grant: parsed.grant,
    accessTokenRequest: parsed.accessTokenRequest,
    request: requestLike(request),
    expectedPreAuthorizedCode: code,
    preAuthorizedCodeExpiresAt: new Date(session.expires_at * 1000),
  })
  const cNonce = randomBytes(32).toString('base64url')
  if (redeem.run([cNonce, seconds() + 86_400, session.id]).changes !== 1) throw new Error('used')
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
  const [session] = find.all([tokenPayload.sub]) as Session[]
  if (session?.state !== 'redeemed') throw new Error('no such session')
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
  if (signer.method !== 'did') throw new Error('no DID')
  const asked = await records.post('/issuance/claims', { subject_id: session.id })
  const now = seconds()
  const claims = createLearCredential({
    id: asked.credential_id,
    issuerDid: benchIssuer.issuerDid,
    holderDid: String(payload.iss),
    mandate: asked.claims.mandate,
    termsOfUseUrl: benchIssuer.accreditationUrl,
    now,
    validUntil: now + 365 * 86_400,
  })
  const kid = `${benchIssuer.issuerDid}#${benchIssuer.issuerVMethodId}`
  const header = { alg: 'ES256K', typ: 'JWT', kid } as const
  const credential = signJws({ header, payload: claims, privateKey: issuerKey })
  if (issue.run([credential, session.id, session.c_nonce]).changes !== 1) {
    throw new Error('the nonce has been used')
  }
  const credentialResponse = issuer.createCredentialResponse({
    credentialRequest,
    credentials: [{ credential }],
  })
  response.once('finish', async () => {
    await records.post('/issuance/notifications', {
      subject_id: session.id,
      credential_id: claims.jti,
      event: 'issued',
    })
    settle.run([session.id])
  })
  response.set('cache-control', 'no-store').json(credentialResponse)
})

listener.serve(app)
process.on('disconnect', async () => {
  await Promise.all([listener.close(), records.close()])
  database.close()
  rmSync(folder, { recursive: true })
  process.exit(0)
})
process.send?.({ offersUrl: records.url, issuerUrl: baseUrl })
