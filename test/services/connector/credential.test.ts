import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { signJws } from '#core/crypto/jws.ts'
import { validateCredential } from '#test/support/foreign-verifiers.ts'
import {
  createCredentialRequestBody,
  createHolder,
  type IssuanceSystem,
  openSession,
  payloadOf,
  postJson,
  requestCredential,
  startIssuanceSystem,
  type TestSession,
} from '#test/support/issuance.ts'

let system: IssuanceSystem
beforeAll(async () => {
  system = await startIssuanceSystem()
})
afterAll(() => system.stop())

const holder = createHolder()

/** A credential request whose proof differs in these members. */
function createBody(
  session: TestSession,
  {
    header = {},
    payload = {},
    ...body
  }: {
    header?: object
    payload?: object
    [member: string]: unknown
  },
) {
  const good = createCredentialRequestBody(system.connector.baseUrl, session.cNonce, holder)
  const jwt = signJws({
    header: { alg: 'ES256K', typ: 'openid4vci-proof+jwt', kid: holder.kid, ...header },
    payload: {
      iss: holder.did,
      aud: system.connector.baseUrl,
      iat: system.runtime.clock.seconds(),
      nonce: session.cNonce,
      ...payload,
    },
    privateKey: holder.privateKey,
  })
  return { ...good, proof: { proof_type: 'jwt', jwt }, ...body }
}

/** A proof whose header is replaced after signing. */
function createBodyWithHeader(session: TestSession, header: object) {
  const body = createBody(session, {})
  const [, payload, signature] = body.proof.jwt.split('.')
  const encoded = Buffer.from(JSON.stringify(header)).toString('base64url')
  return { ...body, proof: { proof_type: 'jwt', jwt: `${encoded}.${payload}.${signature}` } }
}

describe('POST /credential', () => {
  // @row 1.resources-and-their-fields/supported-curves.1..2
  // @row 1.endpoints/endpoints-an-issuer-exposes-to-the-wallet.3 1.endpoints/endpoints-an-issuer-exposes-to-the-wallet.7..10
  it.each([
    ['I21', 'secp256k1', 'key', /^did:key:zQ3s/],
    ['I22', 'Ed25519', 'key', /^did:key:z6Mk/],
    ['I23', 'secp256k1', 'jwk', /^did:jwk:/],
    ['I24', 'Ed25519', 'jwk', /^did:jwk:/],
  ] as const)('%s issues to a holder of %s and did:%s', async (_, curve, method, did) => {
    const wallet = createHolder(curve, method)
    const session = await openSession(system)
    const answer = await requestCredential(system, session, { holder: wallet })
    expect(answer.status).toBe(200)
    expect(answer.headers.get('cache-control')).toBe('no-store')
    expect(Object.keys(answer.body).sort()).toEqual(['credential', 'format'])
    const { sub, jti, vc, iat, nbf, exp } = payloadOf(answer.body.credential)
    expect(sub).toMatch(did)
    expect(vc.credentialSubject.id).toBe(wallet.did)
    expect(jti).toBe(session.made.credentialId)
    expect(Date.parse(vc.validFrom) / 1000).toBe(nbf)
    expect(Date.parse(vc.validUntil) / 1000).toBe(exp)
    expect(iat).toBeLessThan(exp)
    expect(await validateCredential(answer.body.credential)).toEqual([])
  })

  it.each(['key', 'jwk'] as const)(
    'issues to a holder of P-256 and did:%s where it is configured alone',
    async (method) => {
      const wallet = createHolder('P-256', method)
      const refused = await requestCredential(system, await openSession(system), { holder: wallet })
      expect(refused).toMatchObject({ status: 400, body: { error: 'invalid_proof' } })
      expect(refused.body.error_description).toContain('proof.alg')
      const holderSuites: ('ES256K' | 'ES256' | 'EdDSA')[] = ['ES256K', 'ES256', 'EdDSA']
      const configured = await startIssuanceSystem({ connector: { holderSuites } })
      onTestFinished(() => configured.stop())
      const answer = await requestCredential(configured, await openSession(configured), {
        holder: wallet,
      })
      expect(answer.status).toBe(200)
      expect(payloadOf(answer.body.credential).sub).toBe(wallet.did)
    },
  )

  it('takes a proof whose aud is an array that holds the issuer alone', async () => {
    const { baseUrl } = system.connector
    for (const [aud, status] of [
      [[baseUrl], 200],
      [[baseUrl, 'https://other.example'], 400],
    ] as const) {
      const session = await openSession(system)
      const body = createBody(session, { payload: { aud } })
      expect((await requestCredential(system, session, { body })).status).toBe(status)
    }
  })

  it('takes the types in any order, and just those that name its own', async () => {
    for (const types of [
      ['OrgPortalLearCredential', 'VerifiableCredential'],
      ['LEARCredential', 'OrgPortalLearCredential', 'VerifiableCredential'],
    ]) {
      const session = await openSession(system)
      expect(
        (await requestCredential(system, session, { body: createBody(session, { types }) })).status,
      ).toBe(200)
    }
  })

  it.each([
    ['I49', 'unsupported_credential_type', { types: ['VerifiableCredential', 'Unknown'] }],
    ['I49', 'unsupported_credential_type', { types: ['VerifiableCredential'] }],
    ['I51', 'invalid_request', { types: ['OrgPortalLearCredential'] }],
    ['I51', 'invalid_request', { types: undefined }],
    ['I51', 'invalid_request', { types: 'VerifiableCredential' }],
    ['I50', 'unsupported_credential_format', { format: 'ldp_vc' }],
    ['I50', 'invalid_request', { format: undefined }],
  ])('%s refuses with %s, after which a good request works', async (_, error, change) => {
    const session = await openSession(system)
    const answer = await requestCredential(system, session, { body: createBody(session, change) })
    expect(answer).toMatchObject({ status: 400, body: { error } })
    expect((await requestCredential(system, session)).status).toBe(200)
  })

  it('I48 refuses a token that is for another credential type', async () => {
    const types = [{ vcType: 'OrgPortalLearCredential' }, { vcType: 'OrgSecondCredential' }]
    const two = await startIssuanceSystem({
      connector: { credentialTypes: types },
      issuer: { credentialTypes: types },
    })
    const session = await openSession(two, { vcTypes: ['OrgSecondCredential'] })
    const request = createCredentialRequestBody(two.connector.baseUrl, session.cNonce)
    expect(await requestCredential(two, session, { body: request })).toMatchObject({
      status: 400,
      body: { error: 'unsupported_credential_type' },
    })
    const second = ['VerifiableCredential', 'LEARCredential', 'OrgSecondCredential']
    const { status, body } = await requestCredential(two, session, {
      body: { ...request, types: second },
    })
    expect(status).toBe(200)
    expect(payloadOf(body.credential).vc.type).toEqual(second)
    expect(await validateCredential(body.credential)).toEqual([])
    await two.stop()
  })

  const otherKid = createHolder('Ed25519').kid
  const proofs: [string, (session: TestSession) => unknown][] = [
    ['no proof (I25)', (session) => createBody(session, { proof: undefined })],
    ['a proof that is text (I53)', (session) => createBody(session, { proof: 'x' })],
    ['a proof that is null (I53)', (session) => createBody(session, { proof: null })],
    [
      'another proof_type (I52)',
      (session) => createBody(session, { proof: { proof_type: 'cwt', cwt: 'x' } }),
    ],
    ["another curve's kid (I30)", (session) => createBody(session, { header: { kid: otherKid } })],
    ['no nonce (I37)', (session) => createBody(session, { payload: { nonce: undefined } })],
    [
      'a symmetric algorithm under its own kid (I44)',
      (session) =>
        createBodyWithHeader(session, {
          alg: 'HS512',
          typ: 'openid4vci-proof+jwt',
          kid: holder.kid,
          jwk: { kty: 'oct', k: 'c2VjcmV0' },
        }),
    ],
    [
      'a bad signature (I26)',
      (session) =>
        createBodyWithHeader(session, {
          alg: 'ES256K',
          typ: 'openid4vci-proof+jwt',
          kid: holder.kid,
          x: 1,
        }),
    ],
  ]
  // @row 1.resources-and-their-fields/proof-of-possession-jwt.1..2
  it.each(proofs)(
    'refuses a proof with %s as invalid_proof, with a fresh c_nonce that works',
    async (_, body) => {
      const session = await openSession(system)
      const answer = await requestCredential(system, session, { body: body(session) })
      expect(answer.status).toBe(400)
      expect(answer.body).toEqual({
        error: 'invalid_proof',
        error_description: expect.any(String),
        c_nonce: expect.stringMatching(/^[A-Za-z0-9_-]{43}$/),
        c_nonce_expires_in: 86400,
      })
      expect(answer.body.c_nonce).not.toBe(session.cNonce)
      const retry = { ...session, cNonce: String(answer.body.c_nonce) }
      expect((await requestCredential(system, retry)).status).toBe(200)
    },
  )

  it("I38 I40 I45 refuses another session's, a replaced, and an expired nonce as invalid_nonce", async () => {
    const session = await openSession(system)
    const other = await openSession(system)
    const foreign = await requestCredential(system, { ...session, cNonce: other.cNonce })
    expect(foreign).toMatchObject({ status: 400, body: { error: 'invalid_nonce' } })
    const replaced = await requestCredential(system, session)
    expect(replaced.body.error).toBe('invalid_nonce')
    const fresh = { ...session, cNonce: String(replaced.body.c_nonce) }
    expect((await requestCredential(system, fresh)).status).toBe(200)
    expect((await requestCredential(system, other)).status).toBe(200)

    const short = await startIssuanceSystem({ connector: { cNonceLifetimeSeconds: 60 } })
    const late = await openSession(short)
    short.runtime.advance(60)
    const answer = await requestCredential(short, late)
    expect(answer.body.error).toBe('invalid_nonce')
    const again = { ...late, cNonce: String(answer.body.c_nonce) }
    expect((await requestCredential(short, again)).status).toBe(200)
    await short.stop()
  })

  it('I39 never issues twice: a used nonce is refused, a fresh one brings the same credential', async () => {
    const session = await openSession(system)
    const first = await requestCredential(system, session)
    const replay = await requestCredential(system, session)
    expect(replay).toMatchObject({ status: 400, body: { error: 'invalid_nonce' } })
    const fresh = { ...session, cNonce: String(replay.body.c_nonce) }
    const again = await requestCredential(system, fresh)
    expect(again.body.credential).toBe(first.body.credential)
    const { body } = await requestCredential(system, session)
    const stolen = await requestCredential(
      system,
      { ...session, cNonce: String(body.c_nonce) },
      { holder: createHolder('Ed25519', 'key', 9) },
    )
    expect(stolen).toMatchObject({ status: 400, body: { error: 'credential_request_denied' } })
  })

  it('of ten requests at once with one nonce, issues one credential', async () => {
    const session = await openSession(system)
    const answers = await Promise.all(
      Array.from({ length: 10 }, () => requestCredential(system, session)),
    )
    const issued = answers.filter(({ status }) => status === 200)
    expect(issued).toHaveLength(1)
    expect(answers.every(({ status }) => status === 200 || status === 400)).toBe(true)
  })

  // @row 1.authentication.7
  it('I46 I47 refuses a missing, unknown, expired and misplaced access token with a challenge', async () => {
    const session = await openSession(system)
    const url = `${system.connector.baseUrl}/credential`
    const body = createBody(session, {})
    const cases: [string, Record<string, string>][] = [
      [url, {}],
      [url, { authorization: 'Bearer unknown' }],
      [url, { authorization: `Basic ${session.accessToken}` }],
      [url, { authorization: session.accessToken }],
      [`${url}?access_token=${session.accessToken}`, {}],
    ]
    for (const [address, headers] of cases) {
      const answer = await postJson(address, body, headers)
      expect(answer).toMatchObject({ status: 401, body: { error: 'invalid_token' } })
      expect(answer.headers.get('www-authenticate')).toMatch(/^Bearer/)
    }
    system.runtime.advance(86_400)
    const late = await requestCredential(system, session)
    expect(late.status).toBe(401)
    system.runtime.advance(-86_400)
  })

  it('answers 400 to whatever is no request', async () => {
    const session = await openSession(system)
    for (const body of ['null', '[]', '"x"', '7', '{', '', '{"proof":[]}']) {
      const response = await fetch(`${system.connector.baseUrl}/credential`, {
        method: 'POST',
        headers: {
          'content-type': 'application/json',
          authorization: `Bearer ${session.accessToken}`,
        },
        body,
      })
      expect(response.status).toBe(400)
      expect(await response.json()).toMatchObject({ error: expect.any(String) })
    }
  })
})
