import { describe, expect, it } from 'vitest'
import { signJws } from '#core/crypto/jws.ts'
import { qrExpirationSeconds } from '#kit/defaults.ts'
import { validateCredential } from '#test/support/foreign-verifiers.ts'
import { callJson } from '#test/support/http.ts'
import {
  createCredentialRequestBody,
  createHolder,
  grantType,
  makeOffer,
  openSession,
  payloadOf,
  readRecordStatus,
  redeem,
  requestCredential,
  startIssuanceSystem,
  type TestSession,
} from '#test/support/issuance.ts'

const system = await startIssuanceSystem()

const formType = 'application/x-www-form-urlencoded'
const token = (form: Record<string, string>) =>
  callJson(`${system.connector.baseUrl}/token`, { form })
const numeric = { length: 6, inputMode: 'numeric', description: 'Sent by mail' } as const
describe('POST /token', () => {
  // @row 1.endpoints/endpoints-an-issuer-exposes-to-the-wallet.2 1.endpoints/endpoints-an-issuer-exposes-to-the-wallet.5..6
  // @row 1.limits.3
  it('answers as in the profile and forbids caching (I09, I10)', async () => {
    const { code } = await makeOffer(system)
    const answer = await redeem(system, code)
    expect(answer.status).toBe(200)
    expect(answer.body).toEqual({
      access_token: expect.stringMatching(/^[A-Za-z0-9_-]{43}$/),
      token_type: 'Bearer',
      expires_in: 86400,
      c_nonce: expect.stringMatching(/^[A-Za-z0-9_-]{43}$/),
      c_nonce_expires_in: 86400,
    })
    expect(answer.headers.get('cache-control')).toBe('no-store')
  })

  it.each([
    ['no grant_type', { grant_type: '' }, 'invalid_request'],
    ['no code', { 'pre-authorized_code': '' }, 'invalid_request'],
  ])('rejects %s, and the offer still works', async (_, change, error) => {
    const { code } = await makeOffer(system)
    const form = { grant_type: grantType, 'pre-authorized_code': code, ...change }
    const answer = await token(form)
    expect(answer.status).toBe(400)
    expect(answer.body).toEqual({ error, error_description: expect.any(String) })
    expect((await redeem(system, code)).status).toBe(200)
  })

  it('rejects a repeated parameter', async () => {
    const { code } = await makeOffer(system)
    const body = new URLSearchParams([
      ['grant_type', grantType],
      ['pre-authorized_code', code],
      ['pre-authorized_code', code],
    ])
    const answer = await fetch(`${system.connector.baseUrl}/token`, { method: 'POST', body })
    expect(await answer.json()).toMatchObject({ error: 'invalid_request' })
  })

  it('rejects a body of any other content type (I11)', async () => {
    const { code } = await makeOffer(system)
    const url = `${system.connector.baseUrl}/token`
    const form = { grant_type: grantType, 'pre-authorized_code': code }
    expect(await callJson(url, { json: form })).toMatchObject({
      status: 400,
      body: { error: 'invalid_request' },
    })
    for (const init of [
      { body: 'x', headers: { 'content-type': 'text/plain' } },
      { headers: {} },
      {
        body: 'x'.repeat(20_000),
        headers: { 'content-type': 'application/x-www-form-urlencoded' },
      },
    ] as { body?: string; headers: Record<string, string> }[]) {
      const answer = await fetch(url, { method: 'POST', ...init })
      expect([400, 413]).toContain(answer.status)
      expect(await answer.json()).toMatchObject({ error: expect.any(String) })
    }
    expect((await redeem(system, code)).status).toBe(200)
  })

  // RFC 6749, 5.2.
  it.each([
    ['an unsupported charset', { 'content-type': `${formType}; charset=utf-16` }, ''],
    ['an unsupported encoding', { 'content-type': formType, 'content-encoding': 'x-unknown' }, ''],
    ['too many parameters', { 'content-type': formType }, '&a'.repeat(1001)],
  ])('rejects %s with 400', async (_, headers, further) => {
    const { code } = await makeOffer(system)
    const form = new URLSearchParams({ grant_type: grantType, 'pre-authorized_code': code })
    const answer = await fetch(`${system.connector.baseUrl}/token`, {
      method: 'POST',
      headers,
      body: `${form}${further}`,
    })
    expect([answer.status, await answer.json()]).toEqual([
      400,
      expect.objectContaining({ error: 'invalid_request' }),
    ])
    expect((await redeem(system, code)).status).toBe(200)
  })

  // @row 1.states-and-transitions.5 1.limits.1
  it('reports an expired code from the second of its expiry (I15)', async () => {
    const { code } = await makeOffer(system)
    const late = await makeOffer(system, { expiresIn: 1000 })
    system.runtime.advance(qrExpirationSeconds)
    const answer = await redeem(system, code)
    expect(answer.body).toMatchObject({
      error: 'invalid_grant',
      error_description: expect.stringMatching(/expired/),
    })
    expect((await redeem(system, late.code)).status).toBe(200)
  })
})

describe('an offer with a PIN', () => {
  it('survives requests without a PIN (I16)', async () => {
    const { code, pin } = await makeOffer(system, { txCode: numeric })
    for (let time = 0; time < 6; time++) {
      expect((await redeem(system, code)).body.error).toBe('invalid_request')
    }
    expect((await redeem(system, code, pin)).status).toBe(200)
  })

  it.each(['', '12345678901234567890', '１２３４５６'])('rejects %j (I20)', async (txCode) => {
    const { code } = await makeOffer(system, { txCode: numeric })
    expect((await redeem(system, code, txCode)).status).toBe(400)
  })

  it('ends with the last attempt, and says why from then on', async () => {
    const { code, pin } = await makeOffer(system, { txCode: numeric })
    const messages: unknown[] = []
    for (let time = 1; time <= 5; time++) {
      messages.push((await redeem(system, code, 'wrong')).body.error_description)
    }
    expect(messages.slice(0, 4)).toEqual(Array(4).fill('The tx_code is wrong.'))
    expect(messages.at(-1)).toMatch(/^Too many wrong values of tx_code/)
    expect((await redeem(system, code, pin)).body).toEqual({
      error: 'invalid_grant',
      error_description: expect.stringContaining('its PIN was wrong too often'),
    })
  })

  it('may require letters', async () => {
    const { code, pin } = await makeOffer(system, { txCode: { length: 32, inputMode: 'text' } })
    expect(pin).toMatch(/^[A-Z2-9]{32}$/)
    expect((await redeem(system, code, pin?.toLowerCase())).status).toBe(400)
    expect((await redeem(system, code, pin)).status).toBe(200)
  })
})

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

describe('POST /credential', () => {
  // @row 1.resources-and-their-fields/supported-curves.1..2
  // @row 1.endpoints/endpoints-an-issuer-exposes-to-the-wallet.3 1.endpoints/endpoints-an-issuer-exposes-to-the-wallet.7..10
  it('issues in the form of the profile', async () => {
    const session = await openSession(system)
    const answer = await requestCredential(system, session)
    expect(answer.status).toBe(200)
    expect(answer.headers.get('cache-control')).toBe('no-store')
    expect(Object.keys(answer.body).sort()).toEqual(['credential', 'format'])
    const { sub, jti, vc, iat, nbf, exp } = payloadOf(answer.body.credential)
    expect([sub, vc.credentialSubject.id]).toEqual([holder.did, holder.did])
    expect(jti).toBe(session.made.credentialId)
    expect(Date.parse(vc.validFrom) / 1000).toBe(nbf)
    expect(Date.parse(vc.validUntil) / 1000).toBe(exp)
    expect(iat).toBeLessThan(exp)
    expect(await validateCredential(answer.body.credential)).toEqual([])
  })

  it.each(['key', 'jwk'] as const)(
    'issues to a holder with P-256 and did:%s only if configured',
    async (method) => {
      const wallet = createHolder('P-256', method)
      const refused = await requestCredential(system, await openSession(system), { holder: wallet })
      expect(refused).toMatchObject({ status: 400, body: { error: 'invalid_proof' } })
      expect(refused.body.error_description).toContain('proof.alg')
      const holderSuites: ('ES256K' | 'ES256' | 'EdDSA')[] = ['ES256K', 'ES256', 'EdDSA']
      const configured = await startIssuanceSystem({ connector: { holderSuites } })
      const answer = await requestCredential(configured, await openSession(configured), {
        holder: wallet,
      })
      expect(answer.status).toBe(200)
      expect(payloadOf(answer.body.credential).sub).toBe(wallet.did)
    },
  )

  it('accepts a proof whose aud is an array with only the issuer', async () => {
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

  it('accepts the types in any order, with or without the inherited ones', async () => {
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
    ['unsupported_credential_type', { types: ['VerifiableCredential'] }],
    ['invalid_request', { types: undefined }],
    ['invalid_request', { types: 'VerifiableCredential' }],
    ['unsupported_credential_format', { format: 'ldp_vc' }],
    ['invalid_request', { format: undefined }],
  ])('rejects with %s, after which a valid request works: %j', async (error, change) => {
    const session = await openSession(system)
    const answer = await requestCredential(system, session, { body: createBody(session, change) })
    expect(answer).toMatchObject({ status: 400, body: { error } })
    expect((await requestCredential(system, session)).status).toBe(200)
  })

  // @row 1.resources-and-their-fields/proof-of-possession-jwt.1..2
  it('rejects a wrong proof and returns a fresh c_nonce that works', async () => {
    const session = await openSession(system)
    const body = createBody(session, { header: { kid: createHolder('Ed25519').kid } })
    const answer = await requestCredential(system, session, { body })
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
  })

  // @row 1.authentication.7
  it('answers a missing, unknown, expired or misplaced access token with a challenge (I46, I47)', async () => {
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
      const answer = await callJson(address, { json: body, headers })
      expect(answer).toMatchObject({ status: 401, body: { error: 'invalid_token' } })
      expect(answer.headers.get('www-authenticate')).toMatch(/^Bearer/)
    }
    // RFC 6750, 2.1: one or more spaces.
    const spaced = await callJson(url, {
      json: body,
      headers: { authorization: `Bearer  ${session.accessToken}` },
    })
    expect(spaced.status).toBe(200)
    system.runtime.advance(86_400)
    const late = await requestCredential(system, session)
    expect(late.status).toBe(401)
    system.runtime.advance(-86_400)
  })
})

const poll = (acceptanceToken: unknown, headers: Record<string, string> = {}) =>
  callJson(`${system.connector.baseUrl}/deferred_credential`, {
    json: { acceptance_token: acceptanceToken },
    headers,
  })

async function startDeferred(deferredSeconds = 30) {
  const session = await openSession(system, { deferredSeconds })
  const answer = await requestCredential(system, session)
  return { session, answer, token: String(answer.body.acceptance_token) }
}

describe('deferred issuance', () => {
  // @row 1.endpoints/endpoints-an-issuer-exposes-to-the-wallet.4 1.endpoints/endpoints-an-issuer-exposes-to-the-wallet.11..13
  // @row 1.states-and-transitions.8..9
  it('returns 202 until the credential is ready, then 200 (I67, I68)', async () => {
    const { session, answer, token } = await startDeferred()
    expect(answer.status).toBe(200)
    expect(answer.body).toEqual({
      acceptance_token: expect.stringMatching(/^[A-Za-z0-9_-]{43}$/),
      c_nonce: expect.any(String),
      c_nonce_expires_in: 86400,
    })
    for (let time = 0; time < 3; time++) expect((await poll(token)).status).toBe(202)
    system.runtime.advance(25)
    expect((await poll(token)).status).toBe(202)
    system.runtime.advance(5)
    const ready = await poll(token)
    expect(ready.status).toBe(200)
    expect(Object.keys(ready.body).sort()).toEqual(['credential', 'format'])
    const payload = payloadOf(ready.body.credential)
    expect(payload.sub).toBe(createHolder().did)
    expect(payload.jti).toBe(session.made.credentialId)
  })

  it('delivers a credential once and confirms it (I70)', async () => {
    const { session, token } = await startDeferred(0)
    expect((await poll(token)).status).toBe(200)
    await expect
      .poll(async () => (await poll(token)).body.error_description)
      .toMatch(/already been used/)
    await expect.poll(() => readRecordStatus(system, session.made.subjectId)).toBe('issued')
  })

  it('outlives the access token, but expires', async () => {
    const day = 86_400
    const first = await startDeferred(3 * day)
    const second = await startDeferred(3 * day)
    system.runtime.advance(2 * day)
    expect((await poll(first.token)).status).toBe(202)
    system.runtime.advance(day)
    expect((await poll(first.token)).status).toBe(200)
    system.runtime.advance(day)
    expect((await poll(second.token)).body.error_description).toMatch(/has expired/)
  })

  it('says when to poll again (I72)', async () => {
    const { token } = await startDeferred(40)
    const early = await poll(token)
    const seconds = Number(early.headers.get('retry-after'))
    expect(seconds).toBeGreaterThan(30)
    expect(seconds).toBeLessThanOrEqual(40)
    system.runtime.advance(seconds)
    expect((await poll(token)).status).toBe(200)
  })

  it('uses the configured delay by default', async () => {
    const slow = await startIssuanceSystem({ connector: { deferredSeconds: 60 } })
    const { body } = await requestCredential(slow, await openSession(slow))
    const ask = () =>
      callJson(`${slow.connector.baseUrl}/deferred_credential`, {
        json: { acceptance_token: body.acceptance_token },
      })
    expect((await ask()).status).toBe(202)
    slow.runtime.advance(60)
    expect((await ask()).status).toBe(200)
  })

  it('rejects a second credential request while it waits', async () => {
    const { session, answer } = await startDeferred()
    const again = await requestCredential(system, {
      ...session,
      cNonce: String(answer.body.c_nonce),
    })
    expect(again).toMatchObject({ status: 400, body: { error: 'credential_request_denied' } })
  })

  it('delivers one credential to ten simultaneous polls', async () => {
    const { token } = await startDeferred(0)
    const answers = await Promise.all(Array.from({ length: 10 }, () => poll(token)))
    const credentials = answers.flatMap(({ body }) => body.credential ?? [])
    expect(credentials.length).toBeGreaterThan(0)
    expect(new Set(credentials).size).toBe(1)
    expect(answers.every(({ status }) => status === 200 || status === 400)).toBe(true)
  })
})
