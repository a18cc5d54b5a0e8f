import { createServer } from 'node:http'
import { describe, expect, it } from 'vitest'
import { createConnectorClient } from '#services/issuer/adapters/connector-client.ts'
import { validateCredential, verifyIssuedCredential } from '#test/support/foreign-verifiers.ts'
import { callJson, send } from '#test/support/http.ts'
import { readQrPng } from '#test/support/images.ts'
import { askIssuer, collectCredential, power, startIssuanceSystem } from '#test/support/issuance.ts'
import { expectDocumentedExamples } from '#test/support/open-api.ts'
import { listenForTest } from '#test/support/servers.ts'
import { createTestRuntime } from '#test/support/services.ts'
import {
  audience,
  openPortalLogin,
  password,
  startTokenIssuer,
} from '#test/support/token-issuer.ts'

const system = await startIssuanceSystem({
  issuer: {
    metricNamespace: 'acme_issuer',
    bearerIssuer: 'https://tokens.example',
    bearerAudience: 'issuer',
  },
})

describe('the issuer as a service', () => {
  // @row 1.endpoints/credential-issuer.3
  it('documents a valid example of each body', async () => {
    await expectDocumentedExamples(system.issuer.baseUrl)
  })

  // @row 1.what-the-service-does.4..5 1.endpoints/credential-issuer.1..3
  it('has health, metrics and documentation', async () => {
    const { baseUrl } = system.issuer
    expect(await (await fetch(`${baseUrl}/health`)).json()).toEqual({ status: 'ok' })
    system.runtime.activeFaults.add('database-down')
    const away = await fetch(`${baseUrl}/health`)
    system.runtime.activeFaults.clear()
    expect([away.status, await away.json()]).toEqual([503, { status: 'error', db: 'disconnected' }])
    await fetch(`${baseUrl}/credentials/status/1`)
    const metrics = await (await fetch(`${baseUrl}/metrics`)).text()
    expect(metrics).toMatch(/^acme_issuer_http_requests_total\{.*status="200".*\} \d+$/m)
    expect((await fetch(`${baseUrl}/swagger`)).status).toBe(200)
    const document = (await (await fetch(`${baseUrl}/swagger/openapi.json`)).json()) as {
      paths: Record<string, unknown>
    }
    expect(Object.keys(document.paths)).toEqual(
      expect.arrayContaining([
        '/issuance/representative',
        '/issuance/employee',
        '/issuance/identifiers',
        '/issuance/credential',
        '/issuance/credential/revoke',
        '/issuance/notifications',
        '/issuance/claims',
      ]),
    )
  })

  it('returns 404 and 405 in its error form', async () => {
    const { baseUrl } = system.issuer
    const unknown = await callJson(`${baseUrl}/issuance/none`, { json: {} })
    expect(unknown).toMatchObject({ status: 404, body: { error: 'Not Found' } })
    const answer = await fetch(`${baseUrl}/issuance/claims`)
    expect(answer.status).toBe(405)
    expect(await answer.json()).toMatchObject({ error: 'Method Not Allowed' })
  })

  it('checks issuer and audience of the Bearer token if configured', async () => {
    const iss = 'https://tokens.example'
    for (const [claims, status] of [
      [{ iss, aud: ['other', 'issuer'] }, 200],
      [{ iss: 'https://other.example', aud: 'issuer' }, 401],
      [{ iss, aud: 'other' }, 401],
      [{}, 401],
    ] as const) {
      const answer = await askIssuer(system, 'identifiers', { subject_id: 'x' }, claims)
      expect(answer.status).toBe(status)
    }
  })
})

const code = 'c0de-that-anybody-could-redeem-until-it-expires'

describe('the log entry for a Connector that fails', () => {
  it.each([
    ['answers an error that repeats the code', false],
    ['hangs up', true],
  ])('contains no code that could be redeemed if it %s', async (_, hangsUp) => {
    const server = createServer((request, response) => {
      if (hangsUp) return request.socket.destroy()
      response.writeHead(500).end(JSON.stringify({ preauth_code: code }))
    })
    const url = await listenForTest(server)
    const client = createConnectorClient({ name: 'default', url, apiKey: 'k' }, createTestRuntime())
    const error = await client.readOfferLink(code).catch((thrown: unknown) => thrown)
    expect(error).toMatchObject({ code: 'connector_error', status: 500 })
    const { detail, cause } = error as { detail: string; cause?: unknown }
    expect(detail).toContain('/credential-offer')
    expect(JSON.stringify([detail, cause])).not.toContain(code)
  })
})

describe('a Bearer token that openid-client obtained from the token issuer', () => {
  // @row 1.authentication.1 1.resources-and-their-fields/token-claims-required-by-the-issuer.1
  it('issues a credential that jsqr, did-jwt and ajv accept', async () => {
    const tokenIssuer = await startTokenIssuer()
    const system = await startIssuanceSystem({
      issuer: {
        jwksUri: `${tokenIssuer.baseUrl}/jwks`,
        bearerIssuer: tokenIssuer.baseUrl,
        bearerAudience: audience,
      },
    })
    const { login, page } = await openPortalLogin(tokenIssuer.baseUrl)
    const callback = await login.browser.submit(page.url, { username: 'ana', password })
    const { access_token } = await login.finish(callback.url)

    const qr = await send(`${system.issuer.baseUrl}/issuance/representative`, {
      headers: { authorization: `Bearer ${access_token}` },
      json: { power: [power] },
    })
    expect(qr.status).toBe(200)
    const link = new URL(readQrPng(await qr.arrayBuffer()))
    const answer = await collectCredential(link)
    const { payload } = await verifyIssuedCredential(String(answer.body.credential))
    expect(payload.vc.credentialSubject.mandate).toMatchObject({
      mandator: { organizationIdentifier: 'VATES-A12345678', organization: 'First Organization' },
      mandatee: { employeeId: 'EMP-1', email: 'ana.ruiz@first.example', firstName: 'Ana' },
      power: [power],
    })
    expect(await validateCredential(answer.body.credential)).toEqual([])

    // Its id_token has the same signer but the portal as audience: not a Bearer token for the issuer.
    const refused = await callJson(`${system.issuer.baseUrl}/issuance/identifiers`, {
      json: { subject_id: 'x' },
      headers: { authorization: `Bearer ${await idTokenOf(tokenIssuer.baseUrl)}` },
    })
    expect(refused).toMatchObject({ status: 401, body: { detail: 'invalid token' } })
  })
})

async function idTokenOf(baseUrl: string): Promise<string> {
  const { login, page } = await openPortalLogin(baseUrl)
  const callback = await login.browser.submit(page.url, { username: 'ana', password })
  return (await login.finish(callback.url)).id_token ?? ''
}
