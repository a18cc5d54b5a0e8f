import { createECDH, randomBytes, randomUUID } from 'node:crypto'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { json, text } from 'node:stream/consumers'
import { createJWT, ES256KSigner } from 'did-jwt'
import { preAuthorizedCodeGrant } from '#core/oid4vci/token.ts'
import { verifyWithForeignLibrary } from './foreign-verifiers.ts'
import { listenForTest } from './servers.ts'

/** The behaviour of an issuer that implements the profile without code of the testbed. */
export interface IssuerBehaviour {
  pin?: string
  /** The number of polls that return 202 before the credential is ready; undefined: not deferred. */
  deferredPolls?: number
  /** The first responses to polls: a status, with headers and members. */
  pollAnswers?: { status: number; headers?: Record<string, string>; body?: object }[]
  /** Members of the answer that defers. */
  deferral?: Record<string, unknown>
  /** Reject the first proof with a fresh c_nonce. */
  renewNonce?: boolean
  metadata?: Record<string, unknown>
  /** Members of the one entry of credentials_supported. */
  entry?: Record<string, unknown>
  credentialPayload?: (payload: Record<string, unknown>) => Record<string, unknown>
  /** Members of the answer with the credential. */
  issued?: Record<string, unknown>
  /** The credential that is issued instead of the counterpart's own credential. */
  credential?: (holderDid: string) => unknown
  /** Sign with a key that the DID document does not have. */
  foreignKey?: boolean
  offer?: Record<string, unknown>
  /** Members of the token response. */
  token?: Record<string, unknown>
  /** Members of the issuer's DID document. */
  document?: Record<string, unknown>
}

export interface IssuerCounterpart {
  readonly baseUrl: string
  readonly did: string
  readonly behaviour: IssuerBehaviour
  offerByValue(): string
  offerByReference(): string
  /** Every request as `METHOD path`. */
  readonly requests: string[]
  /** Headers of the last request. */
  lastHeaders: IncomingMessage['headers']
  /** The proofs that arrived. */
  readonly proofs: string[]
}

type Answer = [status: number, body: unknown, headers?: Record<string, string> | undefined]

const types = ['VerifiableCredential', 'LEARCredential', 'OrgPortalLearCredential']

/** An issuer, and the DID registry that knows it, on a free port. It ends with the running test. */
export async function startIssuerCounterpart(
  behaviour: IssuerBehaviour = {},
): Promise<IssuerCounterpart> {
  const did = 'did:org:uc-pre:z1Counterpart'
  const kid = `${did}#${'k'.repeat(43)}`
  const { secret, document } = createCounterpartKey(did, kid)
  const code = randomBytes(16).toString('base64url')
  const accessToken = randomBytes(16).toString('base64url')
  let cNonce = randomBytes(16).toString('base64url')
  let renewed = false
  let polls = 0
  let holder = ''
  let baseUrl = ''

  const offer = () => createOffer({ baseUrl, code }, behaviour)

  async function issue(): Promise<object> {
    if (behaviour.credential) {
      return { format: 'jwt_vc_json', credential: behaviour.credential(holder) }
    }
    const payload = createPayload(did, holder)
    const signingKey = behaviour.foreignKey ? randomBytes(32) : secret
    const claims: Record<string, unknown> = behaviour.credentialPayload?.(payload) ?? payload
    const credential = await createJWT(
      claims,
      // did-jwt writes its issuer over iss.
      { issuer: String(claims.iss), signer: ES256KSigner(signingKey) },
      { alg: 'ES256K', kid },
    )
    return { format: 'jwt_vc_json', credential, ...behaviour.issued }
  }

  const routes: Record<string, (request: IncomingMessage) => Promise<Answer>> = {
    'GET /offer': async () => [200, offer()],
    'GET /.well-known/openid-credential-issuer': async () => [
      200,
      createMetadata(baseUrl, behaviour),
    ],
    'POST /token': async (request) => {
      const form = new URLSearchParams(await text(request))
      if (form.get('grant_type') !== preAuthorizedCodeGrant)
        return [400, { error: 'unsupported_grant_type' }]
      const expected = behaviour.pin ?? null
      if (form.get('pre-authorized_code') !== code || form.get('tx_code') !== expected) {
        return [400, { error: 'invalid_grant', error_description: 'The code or the PIN is wrong.' }]
      }
      const token = { access_token: accessToken, token_type: 'Bearer', expires_in: 86400 }
      return [200, { ...token, c_nonce: cNonce, c_nonce_expires_in: 86400, ...behaviour.token }]
    },
    'POST /credential': async (request) => {
      if (request.headers.authorization !== `Bearer ${accessToken}`) {
        return [401, { error: 'invalid_token' }]
      }
      const body = (await json(request)) as { proof: { jwt: string }; types: string[] }
      counterpart.proofs.push(body.proof.jwt)
      const verified = await verifyWithForeignLibrary(body.proof.jwt, baseUrl)
      if (!verified) return [400, { error: 'invalid_proof', error_description: 'Bad proof.' }]
      if (behaviour.renewNonce && !renewed) {
        renewed = true
        cNonce = randomBytes(16).toString('base64url')
        return [400, { error: 'invalid_nonce', c_nonce: cNonce, c_nonce_expires_in: 300 }]
      }
      const { header, payload } = verified
      if (payload.nonce !== cNonce) return [400, { error: 'invalid_nonce' }]
      if (header.typ !== 'openid4vci-proof+jwt') return [400, { error: 'invalid_proof' }]
      holder = String(payload.iss)
      if (behaviour.deferredPolls === undefined) return [200, await issue()]
      const nonce = { c_nonce: cNonce, c_nonce_expires_in: 300 }
      return [200, { acceptance_token: 'acceptance-0', ...nonce, ...behaviour.deferral }]
    },
    'POST /deferred_credential': async (request) => {
      const body = (await json(request)) as { acceptance_token: string }
      const other = behaviour.pollAnswers?.shift()
      if (other) return [other.status, other.body ?? {}, other.headers]
      if (body.acceptance_token !== `acceptance-${polls}`) return [400, { error: 'invalid_token' }]
      if (polls === behaviour.deferredPolls) return [200, await issue()]
      polls++
      return [202, { acceptance_token: `acceptance-${polls}` }]
    },
    [`GET /api/v1/identifiers/${encodeURIComponent(did)}`]: async () => [
      200,
      { ...document, assertionMethod: [kid], ...behaviour.document },
    ],
  }

  const server = createServer(async (request: IncomingMessage, response: ServerResponse) => {
    const path = (request.url ?? '').split('?')[0]
    counterpart.requests.push(`${request.method} ${path}`)
    counterpart.lastHeaders = request.headers
    const answer = await routes[`${request.method} ${path}`]?.(request)
    const [status, body, headers] = answer ?? [404, {}]
    response.writeHead(status, { 'content-type': 'application/json', ...headers })
    response.end(JSON.stringify(body))
  })
  baseUrl = await listenForTest(server)
  const link = (name: string, value: string) =>
    `openid-credential-offer://?${name}=${encodeURIComponent(value)}`
  const counterpart: IssuerCounterpart = {
    baseUrl,
    did,
    behaviour,
    offerByValue: () => link('credential_offer', JSON.stringify(offer())),
    offerByReference: () => link('credential_offer_uri', `${baseUrl}/offer`),
    requests: [],
    lastHeaders: {},
    proofs: [],
  }
  return counterpart
}

const createOffer = (
  { baseUrl, code }: { readonly baseUrl: string; readonly code: string },
  { pin, offer }: IssuerBehaviour,
) => ({
  credential_issuer: baseUrl,
  credentials: ['OrgPortalLearCredential'],
  grants: {
    [preAuthorizedCodeGrant]: {
      'pre-authorized_code': code,
      ...(pin
        ? { tx_code: { length: pin.length, input_mode: 'numeric', description: 'PIN' } }
        : {}),
    },
  },
  ...offer,
})

const createMetadata = (baseUrl: string, { entry, metadata }: IssuerBehaviour) => ({
  credential_issuer: baseUrl,
  credential_endpoint: `${baseUrl}/credential`,
  credentials_supported: [
    {
      format: 'jwt_vc_json',
      id: 'OrgPortalLearCredential',
      types,
      cryptographic_binding_methods_supported: ['did:key', 'did:jwk'],
      cryptographic_suites_supported: ['ES256K', 'EdDSA'],
      ...entry,
    },
  ],
  ...metadata,
})

/** The payload of a credential. */
function createPayload(issuer: string, holder: string) {
  const now = Math.floor(Date.now() / 1000)
  return {
    iss: issuer,
    sub: holder,
    jti: `urn:uuid:${randomUUID()}`,
    nbf: now,
    iat: now,
    exp: now + 3600,
    vc: {
      '@context': ['https://www.w3.org/ns/credentials/v2'],
      type: types,
      issuer,
      credentialSubject: {
        id: holder,
        mandate: {
          mandator: { organizationIdentifier: 'VATES-1' },
          mandatee: { employeeId: 'EMP-1' },
          power: [{ type: 'domain' }],
        },
      },
      validFrom: new Date(now * 1000).toISOString(),
      validUntil: new Date((now + 3600) * 1000).toISOString(),
    },
  }
}

/** A secp256k1 key and the DID document with it, without code of the testbed. */
export function createCounterpartKey(did: string, kid: string) {
  const key = createECDH('secp256k1')
  // Not its getPrivateKey(): that drops leading zeros.
  const secret = randomBytes(32)
  key.setPrivateKey(secret)
  const point = key.getPublicKey()
  const publicKeyJwk = {
    kty: 'EC',
    crv: 'secp256k1',
    x: point.subarray(1, 33).toString('base64url'),
    y: point.subarray(33).toString('base64url'),
  }
  const document = {
    '@context': ['https://www.w3.org/ns/did/v1'],
    id: did,
    controller: [`0x${'0'.repeat(40)}`],
    verificationMethod: [{ id: kid, type: 'JsonWebKey2020', controller: did, publicKeyJwk }],
  }
  return { secret, document }
}
