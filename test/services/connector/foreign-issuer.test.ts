import { createServer } from 'node:http'
import { json } from 'node:stream/consumers'
import { describe, expect, it, onTestFinished } from 'vitest'
import { createConnectorService } from '#services/connector/create-connector-service.ts'
import { callJson } from '#test/support/http.ts'
import {
  accreditationUrl,
  connectorApiKey,
  createCredentialRequestBody,
  createHolder,
  grantType,
  issuerDid,
  issuerPrivateKey,
  issuerVMethodId,
  mandate,
  payloadOf,
} from '#test/support/issuance.ts'
import { listenForTest } from '#test/support/servers.ts'
import { createTestRuntime, startService } from '#test/support/services.ts'
import { createTemporaryFolder } from '#test/support/temporary-folder.ts'

interface Asked {
  readonly path: string | undefined
  readonly apiKey: unknown
  readonly body: Record<string, unknown>
}

/** A third-party issuer: it has the claims, but creates no identifiers. */
async function startForeignIssuer() {
  const asked: Asked[] = []
  const refusals: number[] = []
  const issuer = { url: '', asked, refusals, onAsked: (): unknown => undefined }
  const server = createServer(async (request, response) => {
    const body = (await json(request)) as Record<string, unknown>
    asked.push({ path: request.url, apiKey: request.headers['x-api-key'], body })
    issuer.onAsked()
    const refusal = request.url === '/issuance/notifications' ? refusals.shift() : undefined
    response.writeHead(refusal ?? 200, { 'content-type': 'application/json' })
    const answer = request.url === '/issuance/claims' ? { claims: { mandate } } : {}
    response.end(JSON.stringify(answer))
  })
  issuer.url = await listenForTest(server)
  return issuer
}

async function startConnector(issuerUrl: string, databaseUrl = 'sqlite::memory:') {
  const runtime = createTestRuntime()
  const connector = await startService((baseUrl) =>
    createConnectorService(
      {
        baseUrl,
        databaseUrl,
        apiKeys: [connectorApiKey],
        apiPathPrefix: '/portal/v1/lear',
        issuerUrl,
        issuerApiKey: 'key-of-a-foreign-issuer',
        app: 'portal',
        profile: 'lear',
        instance: 'one',
        issuerDid,
        issuerPrivateKey,
        issuerVMethodId,
        accreditationUrl,
        retryMilliseconds: 20,
      },
      runtime,
    ),
  )
  return { ...connector, runtime }
}

/** Offer, token and proof of a third-party issuer and a wallet. */
async function openSession(baseUrl: string, subjectId: string) {
  const order = { vc_names: ['OrgPortalLearCredential'], subject_id: subjectId, expires_in: 60 }
  const { body } = await callJson(`${baseUrl}/portal/v1/lear/preauth-code`, {
    json: order,
    headers: { 'x-api-key': connectorApiKey },
  })
  const token = await callJson(`${baseUrl}/token`, {
    form: {
      grant_type: grantType,
      'pre-authorized_code': String(body.preauth_code),
    },
  })
  const { access_token, c_nonce } = token.body
  return { accessToken: String(access_token), cNonce: c_nonce }
}

const requestCredential = (baseUrl: string, accessToken: string, cNonce: unknown) =>
  callJson(`${baseUrl}/credential`, {
    json: createCredentialRequestBody(baseUrl, cNonce),
    headers: {
      authorization: `Bearer ${accessToken}`,
    },
  })

describe('the connector of a third-party issuer (A-39)', () => {
  it('requests the claims, creates the credential_id, and notifies the issuer after the delivery', async () => {
    const issuer = await startForeignIssuer()
    issuer.refusals.push(503, 401, 429)
    const { baseUrl, stop } = await startConnector(issuer.url)
    onTestFinished(stop)
    const { accessToken, cNonce } = await openSession(baseUrl, 'subject-1')
    const { status, body } = await requestCredential(baseUrl, accessToken, cNonce)
    expect(status).toBe(200)
    const { jti, vc } = payloadOf(body.credential)
    expect(jti).toMatch(/^urn:uuid:/)
    expect(vc.credentialSubject).toEqual({ id: createHolder().did, mandate })
    expect(vc).not.toHaveProperty('credentialStatus')

    const own = { app: 'portal', profile: 'lear', instance: 'one', subject_id: 'subject-1' }
    const notifications = () =>
      issuer.asked.filter(({ path }) => path === '/issuance/notifications')
    // It was busy, and had the API key only later: the notification repeats until it is accepted.
    await expect.poll(() => notifications()).toHaveLength(4)
    for (const { body: notification } of notifications()) {
      expect(notification).toEqual({ ...own, credential_id: jti, event: 'issued' })
    }
    const [claims] = issuer.asked
    expect(claims).toEqual({
      path: '/issuance/claims',
      apiKey: 'key-of-a-foreign-issuer',
      body: { ...own, vc_type: 'OrgPortalLearCredential' },
    })
  })

  it('delivers no credential that it cannot store: record pending, offer usable', async () => {
    const issuer = await startForeignIssuer()
    const databaseUrl = `sqlite:${createTemporaryFolder()}/connector.sqlite`
    const first = await startConnector(issuer.url, databaseUrl)
    const { accessToken, cNonce } = await openSession(first.baseUrl, 'subject-2')
    // The database fails during the request to the issuer, just before the credential is signed.
    issuer.onAsked = () => first.runtime.activeFaults.add('database-down')
    const lost = await requestCredential(first.baseUrl, accessToken, cNonce)
    expect(lost.status).toBe(503)
    expect(lost.body).not.toHaveProperty('credential')
    issuer.onAsked = () => undefined
    await first.stop()

    const second = await startConnector(issuer.url, databaseUrl)
    onTestFinished(second.stop)
    expect(issuer.asked.map(({ path }) => path)).toEqual(['/issuance/claims'])
    const state = await fetch(`${second.baseUrl}/portal/v1/lear/credentials/issued/subject-2`, {
      headers: { 'x-api-key': connectorApiKey },
    })
    expect(await state.json()).toMatchObject({ state: 'redeemed', credential_id: null })
    // The port has changed, and so has the audience that the proof must name.
    const { status, body } = await requestCredential(second.baseUrl, accessToken, cNonce)
    expect(status).toBe(200)
    expect(payloadOf(body.credential).sub).toBe(createHolder().did)
    await expect
      .poll(() => issuer.asked.map(({ path }) => path))
      .toEqual(['/issuance/claims', '/issuance/claims', '/issuance/notifications'])
  })
})
