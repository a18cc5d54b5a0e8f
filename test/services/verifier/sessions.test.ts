import { decodeJwt, decodeProtectedHeader } from 'jose'
import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { parseAuthorizationRequestUri } from '#core/oid4vp/authorization-request.ts'
import { verifySignedRequest } from '#core/oid4vp/signed-request.ts'
import { qrExpirationSeconds } from '#kit/defaults.ts'
import { zExplanation } from '#services/verifier/domain/explanation.ts'
import { send } from '#test/support/http.ts'
import { createStandingRuntime } from '#test/support/services.ts'
import { temporaryDatabase } from '#test/support/temporary-folder.ts'
import { presentToVerifier, startVerifier, verifierApiKey } from '#test/support/verifier.ts'

describe('POST /sessions', () => {
  it('requires the API key', async () => {
    const verifier = await startVerifier()
    for (const headers of [{}, { 'x-api-key': 'another' }]) {
      const response = await send(`${verifier.baseUrl}/sessions`, { headers, body: '{}' })
      expect(response.status).toBe(401)
    }
  })

  // @row 1.resources-and-their-fields/presentation-authorization-request.1..9 1.what-the-service-does.3 1.resources-and-their-fields/supported-curves.4
  it('returns a link by reference to a request signed by the registered DID (V01, A-45)', async () => {
    const verifier = await startVerifier(undefined, createStandingRuntime())
    const session = await verifier.createSession()
    expect(session.authorization_request).toBe(
      `openid4vp://?request_uri=${encodeURIComponent(session.request_uri)}`,
    )
    expect(session.expires_at).toBe(verifier.runtime.clock.seconds() + qrExpirationSeconds)
    const response = await fetch(session.request_uri)
    expect(response.headers.get('content-type')).toContain('application/oauth-authz-req+jwt')
    const jwt = await response.text()
    const { verifierDid, verifierVMethodId } = verifier.config()
    expect(decodeProtectedHeader(jwt)).toEqual({
      alg: 'ES256K',
      typ: 'oauth-authz-req+jwt',
      kid: `${verifierDid}#${verifierVMethodId}`,
    })
    expect(decodeJwt(jwt)).toMatchObject({
      iss: verifierDid,
      client_id: verifierDid,
      response_type: 'vp_token',
      response_mode: 'direct_post',
      response_uri: expect.stringMatching(`^${verifier.baseUrl}/responses/`),
      exp: session.expires_at,
      client_metadata: { cryptographic_suites_supported: ['ES256K', 'EdDSA'] },
      dcql_query: {
        credentials: [
          {
            id: 'lear_credential',
            format: 'jwt_vc_json',
            meta: { vct_values: ['OrgPortalLearCredential'] },
            claims: [{ path: ['$.vc.credentialSubject.mandate'] }],
          },
        ],
      },
    })
    const { sources } = verifier.world
    const now = verifier.runtime.clock.seconds()
    expect((await verifySignedRequest({ jwt, now, ...sources })).ok).toBe(true)
  })

  // @row 1.resources-and-their-fields/presentation-authorization-request.8
  it('returns a link by value on request', async () => {
    const verifier = await startVerifier()
    const session = await verifier.createSession({ delivery: 'value', credential_type: 'Other' })
    const link = new URLSearchParams(session.authorization_request.slice('openid4vp://?'.length))
    expect(link.get('client_id')).toBe(verifier.config().verifierDid)
    expect(JSON.parse(link.get('dcql_query') ?? '')).toMatchObject({
      credentials: [{ meta: { vct_values: ['Other'] } }],
    })
    const request = await verifier.getRequest(session)
    expect(link.get('nonce')).toBe(request.nonce)
  })

  it('returns a link with the signed request on request (A-45)', async () => {
    const verifier = await startVerifier()
    const session = await verifier.createSession({ delivery: 'signed' })
    const parsed = parseAuthorizationRequestUri(session.authorization_request)
    const { verifierDid } = verifier.config()
    expect(parsed).toMatchObject({ ok: true, delivery: 'signed', clientId: verifierDid })
    const jwt = parsed.ok && parsed.delivery === 'signed' ? parsed.requestJwt : ''
    const request = await verifier.getRequest(session)
    expect(decodeJwt(jwt).nonce).toBe(request.nonce)
    await verifier.post(request.response_uri, verifier.presentationFor(request))
    expect((await verifier.inspect(session)).status).toBe('SUCCESS')
  })

  it('accepts no credential without a requested claim', async () => {
    const claim = '$.vc.credentialSubject.mandate.mandator.vatNumber'
    const verifier = await startVerifier((config) => ({ ...config, requestedClaims: [claim] }))
    const { status, rules, explanation } = await presentToVerifier(verifier)
    expect([status, rules]).toEqual(['FAILED', ['credential.claims']])
    expect(explanation?.failures[0]?.reason).toContain(claim)
  })
})

describe('GET /requests/{id}', () => {
  it('is 404 for an unknown request, and 410 for an expired or answered one', async () => {
    const verifier = await startVerifier()
    expect((await fetch(`${verifier.baseUrl}/requests/unknown`)).status).toBe(404)
    const answered = await verifier.createSession()
    const request = await verifier.getRequest(answered)
    await verifier.post(request.response_uri, verifier.presentationFor(request))
    expect((await fetch(answered.request_uri)).status).toBe(410)
    const expiring = await verifier.createSession({ expires_in: 60 })
    verifier.runtime.advance(60)
    expect((await fetch(expiring.request_uri)).status).toBe(410)
  })
})

describe('a malformed id', () => {
  it.each(['%00', 'a%00b', 'x'.repeat(129), "'%20or%201=1"])(
    'gets the answer for an unknown one (%#)',
    async (id) => {
      const { baseUrl } = await startVerifier()
      const form = { method: 'POST', body: new URLSearchParams({ vp_token: 'x' }) }
      const operator = { headers: { 'x-api-key': verifierApiKey } }
      for (const [path, init] of [
        ['requests', {}],
        ['responses', form],
        ['sessions', operator],
      ] as const) {
        const known = await fetch(`${baseUrl}/${path}/unknown`, init)
        const response = await fetch(`${baseUrl}/${path}/${id}`, init)
        expect(response.status).toBe(404)
        expect(await response.json()).toEqual(await known.json())
      }
    },
  )
})

describe('GET /sessions/{id}', () => {
  it('requires the API key, and the wallet does not learn the verdict', async () => {
    const verifier = await startVerifier()
    const { session, response, request } = await presentToVerifier(verifier, (form) => ({
      ...form,
      state: 'x',
    }))
    expect(await response.text()).toBe('{}')
    expect((await fetch(request.response_uri)).status).toBe(405)
    expect(await (await fetch(session.request_uri)).text()).not.toContain('response.state')
    const path = `/sessions/${session.session_id}`
    expect((await fetch(`${verifier.baseUrl}${path}`)).status).toBe(401)
    const headers = { 'x-api-key': verifierApiKey }
    expect((await fetch(`${verifier.baseUrl}/sessions/nobody`, { headers })).status).toBe(404)
  })

  it('shows the presentation, the requests and the decisions, but no secret', async () => {
    const verifier = await startVerifier()
    const session = await verifier.createSession()
    const request = await verifier.getRequest(session)
    const form = verifier.presentationFor(request)
    await verifier.post(request.response_uri, form)
    const { status, explanation } = await verifier.inspect(session)
    const { issuer, now } = verifier.world
    expect(status).toBe('SUCCESS')
    expect(explanation).toMatchObject({
      holder_did: verifier.world.holder.did,
      presentation: { payload: { nonce: request.nonce, vp: { type: ['VerifiablePresentation'] } } },
      credential: { payload: { iss: verifier.world.issuer.did } },
      failures: [],
      lookups: expect.arrayContaining([
        expect.objectContaining({ service: 'tir', found: true }),
        expect.objectContaining({ what: `${issuer.did} valid-at ${now - 1000}` }),
        expect.objectContaining({ service: 'status-list', found: true }),
      ]),
    })
    // Exactly the documented members.
    expect(z.strictObject(zExplanation.shape).parse(explanation)).toEqual(explanation)
    const text = JSON.stringify(explanation)
    for (const jwt of [form.vp_token, verifier.world.issue()]) {
      expect(text).not.toContain(jwt.split('.')[2])
    }
  })

  it('shows each of eight hops up to the root with its rules', async () => {
    const verifier = await startVerifier()
    const { world } = verifier
    let parent = world.tao
    for (let hop = 0; hop < 5; hop++) {
      const member = world.createParty(`member ${hop}`)
      world.publish(member, parent, 'TAO')
      parent = member
    }
    world.publish(world.issuer, parent, 'TI')
    const { status, explanation } = await presentToVerifier(verifier)
    expect(status).toBe('SUCCESS')
    expect(explanation?.trust_chain.map(({ issuer_type }) => issuer_type)).toEqual([
      'TI',
      ...Array.from({ length: 6 }, () => 'TAO'),
      'RTAO',
    ])
    const signatures = explanation?.checked.filter(({ rule }) => rule === 'trust.signature')
    expect(signatures?.map(({ path, passed }) => [path, passed])).toEqual(
      Array.from({ length: 8 }, (_, hop) => [`hops[${hop}]`, true]),
    )
  })
})

describe('sessions', () => {
  it('survive a restart, after which a pending verdict is reported', async () => {
    const databaseUrl = temporaryDatabase()
    const verifier = await startVerifier((config) => ({ ...config, databaseUrl }))
    const session = await verifier.createSession()
    const request = await verifier.getRequest(session)
    verifier.idp.sink.status = 503
    const first = await verifier.post(request.response_uri, verifier.presentationFor(request))
    expect(first.status).toBe(200)
    expect(verifier.idp.sink.verdicts).toEqual([])
    await verifier.restart()
    verifier.idp.sink.status = 200
    while (verifier.idp.sink.verdicts.length === 0) await verifier.idp.next()
    expect(verifier.idp.sink.verdicts[0]).toMatchObject({
      session_id: session.session_id,
      status: 'SUCCESS',
    })
    expect((await verifier.inspect(session)).status).toBe('SUCCESS')
  })

  it('are not reported again while a report is under way', async () => {
    const verifier = await startVerifier()
    const { sink, next } = verifier.idp
    const [failing, slow] = [await verifier.createSession(), await verifier.createSession()]
    const respond = async (session: typeof slow) => {
      const request = await verifier.getRequest(session)
      return verifier.post(request.response_uri, verifier.presentationFor(request))
    }
    sink.status = 503
    await respond(failing)
    const [arrived, answered] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
    sink.hold = async ({ session_id }) => {
      if (session_id !== slow.session_id) return
      arrived.resolve()
      await answered.promise
    }
    const responding = respond(slow)
    await arrived.promise
    // The other one is retried, twice.
    await next()
    await next()
    sink.status = 200
    answered.resolve()
    await responding
    while (sink.verdicts.length < 2) await next()
    const reported = sink.verdicts.map(({ session_id }) => session_id)
    expect(reported.toSorted()).toEqual([failing, slow].map((each) => each.session_id).toSorted())
  })
})

describe('the service', () => {
  it('has health, metrics and documentation', async () => {
    const verifier = await startVerifier((config) => ({ ...config, metricNamespace: 'own_name' }))
    const get = (path: string) => fetch(`${verifier.baseUrl}${path}`)
    const dependencies = {
      'did-registry': 'connected',
      tir: 'connected',
      'status-list': 'connected',
    }
    expect(await (await get('/health')).json()).toEqual({
      status: 'ok',
      db: 'connected',
      dependencies,
    })
    expect(await (await get('/metrics')).text()).toContain('own_name_http_requests_total')
    expect((await get('/swagger')).status).toBe(200)
    verifier.runtime.activeFaults.add('database-down')
    const health = await get('/health')
    expect([health.status, await health.json()]).toEqual([
      503,
      { status: 'error', db: 'disconnected', dependencies },
    ])
  })
})
