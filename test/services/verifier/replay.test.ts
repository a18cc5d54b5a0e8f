import { describe, expect, it } from 'vitest'
import { type PresentationForm, presentToVerifier, startVerifier } from '#test/support/verifier.ts'

// @row 1.resources-and-their-fields/presentation-authorization-request.4..5
describe('a presentation that was made for another session', () => {
  it('V07 fails the session to which it is posted, and leaves its own pending', async () => {
    const verifier = await startVerifier()
    const [own, other] = [await verifier.createSession(), await verifier.createSession()]
    const form = verifier.presentationFor(await verifier.getRequest(own))
    await verifier.post((await verifier.getRequest(other)).response_uri, form)
    const { status, explanation } = await verifier.inspect(other)
    expect(status).toBe('FAILED')
    expect(explanation?.failures.map(({ rule }) => rule)).toEqual(['presentation.nonce'])
    expect((await verifier.inspect(own)).status).toBe('PENDING')
    // It still decides its own.
    await verifier.post((await verifier.getRequest(own)).response_uri, form)
    expect((await verifier.inspect(own)).status).toBe('SUCCESS')
    expect(
      verifier.idp.sink.verdicts.map(({ session_id, status }) => [session_id, status]),
    ).toEqual([
      [other.session_id, 'FAILED'],
      [own.session_id, 'SUCCESS'],
    ])
  })

  it('V08 fails every later session, after its own has ended', async () => {
    const verifier = await startVerifier()
    const first = await presentToVerifier(verifier)
    expect(first.status).toBe('SUCCESS')
    for (let round = 0; round < 3; round++) {
      const again = await presentToVerifier(verifier, () => first.form)
      expect([again.status, again.rules]).toEqual(['FAILED', ['presentation.nonce']])
    }
  })

  it('V06 fails at another verifier', async () => {
    const [verifier, other] = [await startVerifier(), await startVerifier()]
    const { form } = await presentToVerifier(other, (_form, request) =>
      other.presentationFor({ ...request, client_id: 'did:org:uc-pre:z1Another' }),
    )
    const { rules } = await presentToVerifier(verifier, () => form)
    expect(rules).toEqual(expect.arrayContaining(['presentation.audience', 'presentation.nonce']))
  })
})

describe('a session', () => {
  it('V08 gives its response_code to the one post that decided it', async () => {
    const verifier = await startVerifier()
    const session = await verifier.createSession({ redirect_uri: 'https://idp.example/return' })
    const request = await verifier.getRequest(session)
    const form = verifier.presentationFor(request)
    const post = async () => {
      const response = await verifier.post(request.response_uri, form)
      return (await response.json()) as { redirect_uri?: string }
    }
    const answers = [...(await Promise.all([post(), post(), post()])), await post()]
    const [code, ...more] = answers.flatMap(({ redirect_uri }) => redirect_uri ?? [])
    expect(more).toEqual([])
    expect(code).toBe(
      `https://idp.example/return?response_code=${verifier.idp.sink.verdicts[0]?.response_code}`,
    )
  })

  it('V50 goes from PENDING to SUCCESS once, whatever came before it that was none', async () => {
    const verifier = await startVerifier()
    const session = await verifier.createSession()
    const request = await verifier.getRequest(session)
    const seen = [(await verifier.inspect(session)).status]
    const forms: PresentationForm[] = [{}, { vp_token: 'x' }, verifier.presentationFor(request), {}]
    for (const form of forms) {
      await verifier.post(request.response_uri, form)
      seen.push((await verifier.inspect(session)).status)
    }
    expect(seen).toEqual(['PENDING', 'PENDING', 'PENDING', 'SUCCESS', 'SUCCESS'])
    expect(verifier.idp.sink.verdicts).toHaveLength(1)
  })

  it('V51 that FAILED takes no better presentation', async () => {
    const verifier = await startVerifier()
    const lost = await presentToVerifier(verifier, (form) => ({ ...form, state: 'x' }))
    const before = await verifier.inspect(lost.session)
    const response = await verifier.post(
      lost.request.response_uri,
      verifier.presentationFor(lost.request),
    )
    expect(response.status).toBe(200)
    expect(await verifier.inspect(lost.session)).toEqual(before)
  })

  it('V08 has codes that tell nothing of each other', async () => {
    const verifier = await startVerifier()
    const session = await verifier.createSession()
    const { nonce, state, response_uri } = await verifier.getRequest(session)
    const requestId = response_uri.split('/').at(-1) ?? ''
    expect(new Set([session.session_id, requestId, nonce, state]).size).toBe(4)
    // What the wallet knows opens nothing of the operator's, and the other way round.
    const headers = { 'x-api-key': verifier.config().apiKeys[0] ?? '' }
    for (const id of [requestId, nonce, state]) {
      const response = await fetch(`${verifier.baseUrl}/sessions/${id}`, { headers })
      expect(response.status).toBe(404)
    }
    const posted = await verifier.post(`${verifier.baseUrl}/responses/${session.session_id}`, {})
    expect(posted.status).toBe(404)
  })
})
