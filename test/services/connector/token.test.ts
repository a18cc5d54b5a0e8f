import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { qrExpirationSeconds } from '#kit/defaults.ts'
import {
  grantType,
  type IssuanceSystem,
  makeOffer,
  postForm,
  postJson,
  redeem,
  requestCredential,
  startIssuanceSystem,
} from '#test/support/issuance.ts'

let system: IssuanceSystem
beforeAll(async () => {
  system = await startIssuanceSystem()
})
afterAll(() => system.stop())

const token = (form: Record<string, string>) => postForm(`${system.connector.baseUrl}/token`, form)
const numeric = { length: 6, inputMode: 'numeric', description: 'Sent by mail' } as const
/** A PIN of the same form that is not this one. */
const wrong = (pin = '') => pin.replace(/^./, (digit) => (digit === '1' ? '2' : '1'))

describe('POST /token', () => {
  // @row 1.endpoints/endpoints-an-issuer-exposes-to-the-wallet.2 1.endpoints/endpoints-an-issuer-exposes-to-the-wallet.5..6
  // @row 1.limits.3
  it('I09 I10 answers as document 1 has it, and forbids caching', async () => {
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
    ['another grant_type (I12)', { grant_type: 'authorization_code' }, 'unsupported_grant_type'],
    ['no grant_type', { grant_type: '' }, 'invalid_request'],
    ['no code', { 'pre-authorized_code': '' }, 'invalid_request'],
  ])('refuses %s, and the offer still works', async (_, change, error) => {
    const { code } = await makeOffer(system)
    const form = { grant_type: grantType, 'pre-authorized_code': code, ...change }
    const answer = await token(form)
    expect(answer.status).toBe(400)
    expect(answer.body).toEqual({ error, error_description: expect.any(String) })
    expect((await redeem(system, code)).status).toBe(200)
  })

  it('refuses a parameter that is sent twice', async () => {
    const { code } = await makeOffer(system)
    const body = new URLSearchParams([
      ['grant_type', grantType],
      ['pre-authorized_code', code],
      ['pre-authorized_code', code],
    ])
    const answer = await fetch(`${system.connector.baseUrl}/token`, { method: 'POST', body })
    expect(await answer.json()).toMatchObject({ error: 'invalid_request' })
  })

  it('I11 refuses a body of any other content type with 400', async () => {
    const { code } = await makeOffer(system)
    const url = `${system.connector.baseUrl}/token`
    const form = { grant_type: grantType, 'pre-authorized_code': code }
    expect(await postJson(url, form)).toMatchObject({
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

  it('of 20 that redeem one code at once, exactly one wins, and its token works', async () => {
    const { code } = await makeOffer(system)
    const answers = await Promise.all(Array.from({ length: 20 }, () => redeem(system, code)))
    const winners = answers.filter(({ status }) => status === 200)
    expect(winners).toHaveLength(1)
    expect(answers.filter(({ body }) => body.error === 'invalid_grant')).toHaveLength(19)
    const { access_token, c_nonce } = winners[0]?.body ?? {}
    const session = { accessToken: String(access_token), cNonce: String(c_nonce) }
    expect((await requestCredential(system, session)).status).toBe(200)
  })

  it('50 offers are redeemed in parallel, each for its own credential', async () => {
    const credentials = await Promise.all(
      Array.from({ length: 50 }, async () => {
        const { code } = await makeOffer(system)
        const { body } = await redeem(system, code)
        const session = { accessToken: String(body.access_token), cNonce: String(body.c_nonce) }
        return (await requestCredential(system, session)).body.credential
      }),
    )
    expect(new Set(credentials).size).toBe(50)
    expect(credentials.every((credential) => typeof credential === 'string')).toBe(true)
  })

  // @row 1.states-and-transitions.5 1.limits.1
  it('I15 says that a code has expired, from the second on at which it has', async () => {
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
  it('I17 is redeemed with it, also after a wrong one', async () => {
    const { code, pin } = await makeOffer(system, { txCode: numeric })
    const answer = await redeem(system, code, wrong(pin))
    expect(answer.body).toMatchObject({
      error: 'invalid_grant',
      error_description: expect.stringMatching(/tx_code is wrong/),
    })
    expect((await redeem(system, code, pin)).status).toBe(200)
  })

  it('I16 asks for one that is missing, without counting it', async () => {
    const { code, pin } = await makeOffer(system, { txCode: numeric })
    for (let time = 0; time < 6; time++) {
      expect((await redeem(system, code)).body.error).toBe('invalid_request')
    }
    expect((await redeem(system, code, pin)).status).toBe(200)
  })

  it.each(['', '12345678901234567890', '１２３４５６'])('I20 refuses %s', async (txCode) => {
    const { code } = await makeOffer(system, { txCode: numeric })
    expect((await redeem(system, code, txCode)).status).toBe(400)
  })

  it('I19 ends with the fifth wrong one', async () => {
    const { code, pin } = await makeOffer(system, { txCode: numeric })
    for (let time = 0; time < 5; time++) await redeem(system, code, wrong(pin))
    const answer = await redeem(system, code, pin)
    expect(answer.body.error).toBe('invalid_grant')
  })

  it('gives guessing in parallel no more than five looks', async () => {
    const { code, pin } = await makeOffer(system, { txCode: { ...numeric, length: 1 } })
    const guesses = Array.from({ length: 10 }, (_, digit) => String(digit))
    const answers = await Promise.all(
      guesses.filter((guess) => guess !== pin).map((guess) => redeem(system, code, guess)),
    )
    const looks = answers.filter(({ body }) => /wrong/.test(String(body.error_description)))
    expect(looks).toHaveLength(5)
    expect((await redeem(system, code, pin)).status).toBe(400)
  })

  it('of letters works the same', async () => {
    const { code, pin } = await makeOffer(system, { txCode: { length: 8, inputMode: 'text' } })
    expect(pin).toMatch(/^[A-Z2-9]{8}$/)
    expect((await redeem(system, code, pin?.toLowerCase())).status).toBe(400)
    expect((await redeem(system, code, pin)).status).toBe(200)
  })
})
