import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import {
  createHolder,
  type IssuanceSystem,
  openSession,
  payloadOf,
  postJson,
  requestCredential,
  startIssuanceSystem,
} from '#test/support/issuance.ts'

let system: IssuanceSystem
beforeAll(async () => {
  system = await startIssuanceSystem()
})
afterAll(() => system.stop())

const poll = (acceptanceToken: unknown, headers: Record<string, string> = {}) =>
  postJson(
    `${system.connector.baseUrl}/deferred_credential`,
    { acceptance_token: acceptanceToken },
    headers,
  )

async function startDeferred(deferredSeconds = 30) {
  const session = await openSession(system, { deferredSeconds })
  const answer = await requestCredential(system, session)
  return { session, answer, token: String(answer.body.acceptance_token) }
}

describe('deferred issuance', () => {
  // @row 1.endpoints/endpoints-an-issuer-exposes-to-the-wallet.4 1.endpoints/endpoints-an-issuer-exposes-to-the-wallet.11..13
  // @row 1.states-and-transitions.8..9
  it('I67 I68 answers 202 until the credential is ready, then 200 in the shape of the credential endpoint', async () => {
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

  it('I70 hands a credential over once, and confirms it', async () => {
    const { session, token } = await startDeferred(0)
    expect((await poll(token)).status).toBe(200)
    await vi.waitFor(async () =>
      expect((await poll(token)).body.error_description).toMatch(/used already/),
    )
    const list = async () =>
      postJson(
        `${system.issuer.baseUrl}/issuance/credential`,
        { organization_identifiers: ['VATES-A12345678'] },
        { authorization: `Bearer ${await system.tokenIssuer.mint()}` },
      )
    await vi.waitFor(async () => {
      const records = (await list()).body as unknown as { subject_id: string; status: string }[]
      expect(records.find(({ subject_id }) => subject_id === session.made.subjectId)?.status).toBe(
        'issued',
      )
    })
  })

  it('I71 is bound to its access token where one is sent', async () => {
    const { session, token } = await startDeferred(0)
    const other = await openSession(system)
    const foreign = await poll(token, { authorization: `Bearer ${other.accessToken}` })
    expect(foreign).toMatchObject({ status: 401, body: { error: 'invalid_token' } })
    expect((await poll(token, { authorization: `Bearer ${session.accessToken}` })).status).toBe(200)
  })

  it('I69 refuses unknown tokens and bodies of another shape', async () => {
    for (const token of ['unknown', '', undefined, 7, null]) {
      expect(await poll(token)).toMatchObject({ status: 400, body: { error: 'invalid_request' } })
    }
    const url = `${system.connector.baseUrl}/deferred_credential`
    expect((await postJson(url, [])).status).toBe(400)
    expect((await postJson(url, null)).status).toBe(400)
  })

  it('can be fetched when it took longer than the access token lives, and not for ever', async () => {
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

  it('I72 says when to ask again: a wallet that waits so long gets it', async () => {
    const { token } = await startDeferred(40)
    const early = await poll(token)
    const seconds = Number(early.headers.get('retry-after'))
    expect(seconds).toBeGreaterThan(30)
    expect(seconds).toBeLessThanOrEqual(40)
    system.runtime.advance(seconds)
    expect((await poll(token)).status).toBe(200)
  })

  it('takes as long as the connector is configured to where the offer says nothing', async () => {
    const slow = await startIssuanceSystem({ connector: { deferredSeconds: 60 } })
    const { body } = await requestCredential(slow, await openSession(slow))
    const ask = () =>
      postJson(`${slow.connector.baseUrl}/deferred_credential`, {
        acceptance_token: body.acceptance_token,
      })
    expect((await ask()).status).toBe(202)
    slow.runtime.advance(60)
    expect((await ask()).status).toBe(200)
    await slow.stop()
  })

  it('refuses a second credential request while it waits', async () => {
    const { session, answer } = await startDeferred()
    const again = await requestCredential(system, {
      ...session,
      cNonce: String(answer.body.c_nonce),
    })
    expect(again).toMatchObject({ status: 400, body: { error: 'credential_request_denied' } })
  })

  it('of ten polls at once hands over one credential', async () => {
    const { token } = await startDeferred(0)
    const answers = await Promise.all(Array.from({ length: 10 }, () => poll(token)))
    const credentials = answers.flatMap(({ body }) => body.credential ?? [])
    expect(credentials.length).toBeGreaterThan(0)
    expect(new Set(credentials).size).toBe(1)
    expect(answers.every(({ status }) => status === 200 || status === 400)).toBe(true)
  })
})
