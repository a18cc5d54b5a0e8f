// The peer in a separate process: oid4vc-ts behind Express, with the work of our connector. On
// request of an issuer it creates an offer, requests the claims from the issuer, and confirms the
// delivery. Proof and credential use the same curve, and the database is of the same kind. The rest
// is the obvious choice: did-jwt for ES256K, which jose does not support, fetch, node:sqlite.

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
import { createJWT, ES256KSigner, verifyJWT } from 'did-jwt'
import { Resolver } from 'did-resolver'
import express from 'express'
import { exportJWK, generateKeyPair, type JWTHeaderParameters, jwtVerify, SignJWT } from 'jose'
import { getResolver } from 'key-did-resolver'
import { createLearCredential } from '#core/lear-credential/lear-credential.ts'
import { listen } from '#testbed/process/listen.ts'
import { benchIssuer } from './bench-issuer.ts'
import { openPeerDatabase, startPeerRecords } from './peer-records.ts'

setGlobalConfig({ allowInsecureUrls: true })
const folder = mkdtempSync(join(tmpdir(), 'bench-oid4vc-ts-'))
const listener = await listen('127.0.0.1', 0, 'oid4vc-ts')
const baseUrl = `http://127.0.0.1:${listener.port}`
const grantType = 'urn:ietf:params:oauth:grant-type:pre-authorized_code'

const database = openPeerDatabase(`${folder}/connector.sqlite`)
database.exec(
  `create table sessions (id text primary key, state text not null, code text not null unique,
    c_nonce text, c_nonce_expires_at integer, credential text, expires_at integer not null)`,
)
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
// Sessions that are in the state issued after a crash must be reported to the issuer again.
const settle = database.prepare(`update sessions set state = 'notified' where id = ?`)

const signCredential = ES256KSigner(Buffer.from(benchIssuer.issuerPrivateKey.slice(2), 'hex'))
const accessTokenKeys = await generateKeyPair('EdDSA')
const accessTokenJwk = {
  ...((await exportJWK(accessTokenKeys.publicKey)) as { kty: string }),
  kid: 'access',
  alg: 'EdDSA',
}
const resolver = new Resolver(getResolver())

const callbacks = {
  hash: (data: Uint8Array, algorithm: string) =>
    createHash(algorithm.replace('-', '')).update(data).digest(),
  generateRandom: (length: number) => randomBytes(length),
  async signJwt(
    _signer: JwtSigner,
    { header, payload }: { header: JWTHeaderParameters; payload: object },
  ) {
    const jwt = await new SignJWT({ ...payload })
      .setProtectedHeader(header)
      .sign(accessTokenKeys.privateKey)
    return { jwt, signerJwk: accessTokenJwk }
  },
  async verifyJwt(signer: JwtSigner, { compact }: { compact: string }) {
    if (signer.method !== 'did') {
      await jwtVerify(compact, accessTokenKeys.publicKey)
      return { verified: true, signerJwk: accessTokenJwk }
    }
    await verifyJWT(compact, { resolver, audience: baseUrl })
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
  insert.run(request.body.subject_id, code, seconds() + 300)
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
  const session = findByCode.get(code) as
    | { id: string; state: string; expires_at: number }
    | undefined
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
  if (redeem.run(cNonce, seconds() + 86_400, session.id).changes !== 1) throw new Error('used')
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
  const session = find.get(String(tokenPayload.sub)) as Session | undefined
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
  const credential = await createJWT(
    claims,
    { issuer: benchIssuer.issuerDid, signer: signCredential },
    { alg: 'ES256K', kid },
  )
  if (issue.run(credential, session.id, session.c_nonce).changes !== 1) {
    throw new Error('the nonce was already used')
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
    settle.run(session.id)
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
