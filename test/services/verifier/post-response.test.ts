import { describe, expect, it } from 'vitest'
import { createHolder } from '#conformance/world/create-trust-world.ts'
import type { Hop, TraceSink } from '#kit/traces.ts'
import { createTestRuntime } from '#test/support/services.ts'
import {
  issueWithVc,
  presentCredential,
  presentToVerifier,
  type RunningVerifier,
  startVerifier,
  type VerifierSession,
  verifierApiKey,
} from '#test/support/verifier.ts'

const broken = { state: 'x' }

/** A session, its request and a valid response. */
async function openSession(verifier: RunningVerifier, body?: object) {
  const session = await verifier.createSession(body)
  const request = await verifier.getRequest(session)
  const form = verifier.presentationFor(request)
  const post = (change: object = {}) => verifier.post(request.response_uri, { ...form, ...change })
  return { session, request, form, post }
}

// @row 1.resources-and-their-fields/presentation-token.1..2 1.resources-and-their-fields/presentation-submission.1 1.resources-and-their-fields/supported-curves.1..2 1.states-and-transitions.6
// @row 1.endpoints/endpoint-a-verifier-exposes-to-the-wallet.1
describe('a valid presentation', () => {
  it('is reported to the IDP with holder and credential (V04)', async () => {
    const verifier = await startVerifier()
    const { session, response, status } = await presentToVerifier(verifier)
    expect(status).toBe('SUCCESS')
    expect([response.status, await response.json()]).toEqual([200, {}])
    const mandator = { organizationIdentifier: 'VATES-A12345678' }
    expect(verifier.idp.sink.verdicts).toMatchObject([
      {
        session_id: session.session_id,
        status: 'SUCCESS',
        holder_did: verifier.world.holder.did,
        credential: { credentialSubject: { mandate: { mandator } } },
        failures: [],
      },
    ])
  })

  it.each(['key', 'jwk'] as const)(
    'of P-256 and did:%s succeeds only if configured',
    async (method) => {
      const holder = createHolder('of P-256', 'P-256', method)
      const outcomeAt = async (verifier: RunningVerifier) => {
        const credential = verifier.world.issue(verifier.world.credentialPayload(holder.did))
        const { request, status, rules } = await presentToVerifier(verifier, (_form, asked) =>
          verifier.presentationFor(asked, { holder, credential }),
        )
        return { metadata: request.client_metadata, status, rules }
      }
      const holderSuites: ('ES256K' | 'ES256' | 'EdDSA')[] = ['ES256K', 'ES256', 'EdDSA']
      const configured = await startVerifier((config) => ({ ...config, holderSuites }))
      expect(await outcomeAt(configured)).toEqual({
        metadata: { cryptographic_suites_supported: holderSuites },
        status: 'SUCCESS',
        rules: [],
      })
      expect(await outcomeAt(await startVerifier())).toEqual({
        metadata: { cryptographic_suites_supported: ['ES256K', 'EdDSA'] },
        status: 'FAILED',
        rules: expect.arrayContaining(['presentation.algorithm']),
      })
    },
  )

  it('is verified by the configured type chain', async () => {
    const vcType = 'OrgPortalLearCredential'
    const inheritedTypes = ['VerifiableCredential', 'Mandate']
    const verifier = await startVerifier((config) => ({
      ...config,
      credentialTypes: [{ vcType, inheritedTypes }],
    }))
    for (const [type, rules] of [
      [[...inheritedTypes, vcType], []],
      [
        ['VerifiableCredential', 'LEARCredential', vcType],
        ['credential.type-chain', 'credential.type'],
      ],
    ]) {
      const result = await presentCredential(verifier, issueWithVc(verifier.world, { type }))
      expect(result.rules).toEqual(rules)
    }
  })

  it('succeeds if configured URLs end with a slash', async () => {
    const withSlash = (url: string) => `${url}/`
    const verifier = await startVerifier((config) => ({
      ...config,
      baseUrl: withSlash(config.baseUrl),
      tirBaseUrl: withSlash(config.tirBaseUrl),
      didRegistryBaseUrl: withSlash(config.didRegistryBaseUrl),
      credentialIssuerUrls: config.credentialIssuerUrls?.map(withSlash),
    }))
    expect((await presentToVerifier(verifier)).status).toBe('SUCCESS')
  })

  // @row 1.endpoints/endpoint-a-verifier-exposes-to-the-wallet.2
  it('redirects its holder once, with a code that otherwise only the IDP has (V08)', async () => {
    const verifier = await startVerifier()
    const redirect_uri = 'https://idp.example/return?x=1'
    const { post } = await openSession(verifier, { redirect_uri })
    const answer = async () => (await (await post()).json()) as { redirect_uri?: string }
    const answers = [...(await Promise.all([answer(), answer(), answer()])), await answer()]
    const [verdict] = verifier.idp.sink.verdicts
    expect(answers.filter((each) => each.redirect_uri !== undefined)).toEqual([
      { redirect_uri: `${redirect_uri}&response_code=${verdict?.response_code}` },
    ])
  })
})

describe('a post to the response endpoint', () => {
  // RFC 6749, 3.1
  it('that repeats a wrong state does not count as one without state', async () => {
    const verifier = await startVerifier()
    const session = await verifier.createSession()
    const request = await verifier.getRequest(session)
    const body = new URLSearchParams({ ...verifier.presentationFor(request), ...broken })
    body.append('state', 'x')
    expect((await fetch(request.response_uri, { method: 'POST', body })).status).toBe(200)
    const { status, explanation } = await verifier.inspect(session)
    expect([status, explanation?.failures.map(({ rule }) => rule)]).toEqual([
      'FAILED',
      ['response.state'],
    ])
  })

  // @row 1.resources-and-their-fields/credential-schema-rules-checked-on-presentation.6 1.states-and-transitions.7
  it('that breaks a rule is answered 200 and reported without its credential', async () => {
    const verifier = await startVerifier()
    const { session, response, status, rules } = await presentToVerifier(verifier, (form) => ({
      ...form,
      ...broken,
    }))
    expect([response.status, status, rules]).toEqual([200, 'FAILED', ['response.state']])
    const [verdict] = verifier.idp.sink.verdicts
    expect(verdict).toMatchObject({ session_id: session.session_id, status: 'FAILED' })
    expect(verdict?.credential).toBeUndefined()
  })

  // @row 1.endpoints/endpoint-a-verifier-exposes-to-the-wallet.1..2
  it.each<[string, Record<string, string>, string?]>([
    ['nothing', {}, 'it is missing'],
    ['an error of the wallet', { error: 'access_denied' }],
    ['a string', { vp_token: 'text' }, 'it is not a valid JWT'],
    ['a list', { vp_token: '["a.b.c"]' }, 'it is a list'],
    [
      'an object',
      { vp_token: '{"lear_credential":["a.b.c"]}' },
      'it is an object with the query ids',
    ],
    [
      'broken base64',
      { vp_token: 'e!.e30.AA' },
      'the header is not a valid JSON object in base64url',
    ],
    [
      'critical extensions',
      { vp_token: 'eyJhbGciOiJFUzI1NksiLCJjcml0IjpbIngiXX0.e30.AA' },
      'the header has critical extensions',
    ],
  ])('with %s leaves the session PENDING, and records why (A-30)', async (_name, form, why) => {
    const hops: Omit<Hop, 'id'>[] = []
    const traces: TraceSink = { enabled: true, record: (describe) => hops.push(describe()) }
    const verifier = await startVerifier(undefined, { ...createTestRuntime(), traces })
    const { session, request, post } = await openSession(verifier)
    const response = await verifier.post(request.response_uri, form)
    expect([response.status, await response.json()]).toEqual([200, {}])
    expect((await verifier.inspect(session)).status).toBe('PENDING')
    expect(verifier.idp.sink.attempts).toBe(0)
    const recorded = hops.find(({ url }) => url === new URL(request.response_uri).pathname)
    expect(recorded?.rules).toEqual(
      why && [
        expect.objectContaining({
          rule: 'presentation.form',
          passed: false,
          reasons: [expect.stringContaining(why)],
        }),
      ],
    )
    await post()
    expect((await verifier.inspect(session)).status).toBe('SUCCESS')
  })

  it('is rejected beyond the limits, for unknown sessions, and in another form (V47, V48)', async () => {
    const verifier = await startVerifier()
    const { session, request } = await openSession(verifier)
    const form = (vp_token: string) => ({ body: new URLSearchParams({ vp_token }) })
    const text = (type: string, body: string) => ({ headers: { 'content-type': type }, body })
    const statuses: number[] = []
    for (const [url, init] of [
      [request.response_uri, form('x'.repeat(1024 * 1024))],
      [`${verifier.baseUrl}/responses/unknown`, form('x')],
      [request.response_uri, text('text/plain', 'vp_token=x')],
      [request.response_uri, text('application/json', '{}')],
      [request.response_uri, { method: 'GET' }],
    ] as [string, RequestInit][]) {
      statuses.push((await fetch(url, { method: 'POST', ...init })).status)
    }
    expect(statuses).toEqual([413, 404, 415, 415, 405])
    expect((await verifier.inspect(session)).status).toBe('PENDING')
  })
})

const cancel = (
  { baseUrl }: Pick<RunningVerifier, 'baseUrl'>,
  { session_id }: Pick<VerifierSession, 'session_id'>,
  headers: Readonly<Record<string, string>> = { 'x-api-key': verifierApiKey },
) => fetch(`${baseUrl}/sessions/${session_id}/cancel`, { method: 'POST', headers })

// @row 1.resources-and-their-fields/presentation-authorization-request.4..5
describe('a session', () => {
  it('fails with the presentation of another session, which stays pending (V07)', async () => {
    const verifier = await startVerifier()
    const [own, other] = [await openSession(verifier), await openSession(verifier)]
    await other.post(own.form)
    const { status, explanation } = await verifier.inspect(other.session)
    expect(status).toBe('FAILED')
    expect(explanation?.failures.map(({ rule }) => rule)).toEqual(['presentation.nonce'])
    expect((await verifier.inspect(own.session)).status).toBe('PENDING')
    await own.post()
    expect(verifier.idp.sink.verdicts.map((each) => [each.session_id, each.status])).toEqual([
      [other.session.session_id, 'FAILED'],
      [own.session.session_id, 'SUCCESS'],
    ])
  })

  it('never changes once it is decided (V08, V50, V51)', async () => {
    const verifier = await startVerifier()
    for (const [first, later] of [
      [{}, broken],
      [broken, {}],
    ]) {
      const { session, post } = await openSession(verifier)
      await post(first)
      const before = await verifier.inspect(session)
      for (const again of [later, first]) expect((await post(again)).status).toBe(200)
      expect(await verifier.inspect(session)).toEqual(before)
    }
    expect(verifier.idp.sink.verdicts.map(({ status }) => status)).toEqual(['SUCCESS', 'FAILED'])
  })

  it('is decided once by simultaneous posts', async () => {
    const verifier = await startVerifier()
    const { session, post } = await openSession(verifier)
    await Promise.all([post(), post(broken), post(), post({ state: 'y' })])
    expect(verifier.idp.sink.verdicts).toHaveLength(1)
    expect((await verifier.inspect(session)).status).toBe(verifier.idp.sink.verdicts[0]?.status)
  })

  it('counts as FAILED after its lifetime and accepts nothing', async () => {
    const verifier = await startVerifier()
    const { session, post } = await openSession(verifier, { expires_in: 60 })
    verifier.runtime.advance(60)
    expect((await post()).status).toBe(200)
    expect((await verifier.inspect(session)).status).toBe('FAILED')
    expect(verifier.idp.sink.attempts).toBe(0)
  })

  it('counts as FAILED after its cancellation and accepts nothing', async () => {
    const verifier = await startVerifier()
    const { session, post } = await openSession(verifier)
    expect((await cancel(verifier, session)).status).toBe(204)
    expect((await fetch(session.request_uri)).status).toBe(410)
    expect((await post()).status).toBe(200)
    expect(await verifier.inspect(session)).toMatchObject({ status: 'FAILED', explanation: null })
    expect(verifier.idp.sink.attempts).toBe(0)
  })

  it('keeps its outcome if it is cancelled afterwards', async () => {
    const verifier = await startVerifier()
    const { session, post } = await openSession(verifier)
    await post()
    const before = await verifier.inspect(session)
    expect((await cancel(verifier, session)).status).toBe(204)
    expect(await verifier.inspect(session)).toEqual(before)
    expect((await cancel(verifier, { session_id: 'unknown' })).status).toBe(404)
    expect((await cancel(verifier, session, {})).status).toBe(401)
  })

  it('has identifiers that cannot replace each other (V08)', async () => {
    const verifier = await startVerifier()
    const { session, request } = await openSession(verifier)
    const { nonce, state, response_uri } = request
    const requestId = response_uri.split('/').at(-1) ?? ''
    expect(new Set([session.session_id, requestId, nonce, state]).size).toBe(4)
    const headers = { 'x-api-key': verifier.config().apiKeys[0] ?? '' }
    for (const id of [requestId, nonce, state]) {
      const response = await fetch(`${verifier.baseUrl}/sessions/${id}`, { headers })
      expect(response.status).toBe(404)
    }
    const posted = await verifier.post(`${verifier.baseUrl}/responses/${session.session_id}`, {})
    expect(posted.status).toBe(404)
  })
})
