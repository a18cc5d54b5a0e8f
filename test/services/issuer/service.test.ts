import { generateKeyPair, SignJWT } from 'jose'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type IssuanceSystem, postJson, startIssuanceSystem } from '#test/support/issuance.ts'
import { expectDocumentedExamples } from '#test/support/open-api.ts'

let system: IssuanceSystem
beforeAll(async () => {
  system = await startIssuanceSystem({
    issuer: {
      metricNamespace: 'acme_issuer',
      bearerIssuer: 'https://tokens.example',
      bearerAudience: 'issuer',
    },
  })
})
afterAll(() => system.stop())

describe('the issuer as a service', () => {
  // @row 1.endpoints/credential-issuer.3
  it('has an example for each body in its documentation, valid under its schema', async () => {
    await expectDocumentedExamples(system.issuer.baseUrl)
  })

  // @row 1.what-the-service-does.4..5 1.endpoints/credential-issuer.1..3
  it('has health, metrics under METRIC_NAMESPACE, and documentation', async () => {
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

  it('answers 404 and 405 in its own form', async () => {
    const { baseUrl } = system.issuer
    const unknown = await postJson(`${baseUrl}/issuance/none`, {})
    expect(unknown).toMatchObject({ status: 404, body: { error: 'Not Found' } })
    const answer = await fetch(`${baseUrl}/issuance/claims`)
    expect(answer.status).toBe(405)
    expect(await answer.json()).toMatchObject({ error: 'Method Not Allowed' })
  })

  it('checks issuer and audience of the Bearer token where they are configured', async () => {
    const good = { iss: 'https://tokens.example', aud: ['other', 'issuer'] }
    const status = async (claims: Record<string, unknown>) => {
      const answer = await postJson(
        `${system.issuer.baseUrl}/issuance/identifiers`,
        { subject_id: 'x' },
        { authorization: `Bearer ${await system.tokenIssuer.mint(claims)}` },
      )
      return answer.status
    }
    expect(await status(good)).toBe(200)
    expect(await status({ ...good, iss: 'https://other.example' })).toBe(401)
    expect(await status({ ...good, aud: 'other' })).toBe(401)
    expect(await status({})).toBe(401)
    const now = Math.floor(Date.now() / 1000)
    expect(await status({ ...good, nbf: now + 600 })).toBe(401)
    expect(await status({ ...good, exp: undefined })).toBe(401)
  })

  it('takes no token that is signed with a symmetric algorithm or an undeclared one', async () => {
    const { privateKey } = await generateKeyPair('EdDSA')
    const claims = { iss: 'https://tokens.example', aud: 'issuer', exp: 4_000_000_000 }
    const tokens = [
      await new SignJWT(claims).setProtectedHeader({ alg: 'HS256' }).sign(Buffer.alloc(32, 1)),
      await new SignJWT(claims).setProtectedHeader({ alg: 'EdDSA' }).sign(privateKey),
    ]
    for (const token of tokens) {
      const answer = await postJson(
        `${system.issuer.baseUrl}/issuance/identifiers`,
        { subject_id: 'x' },
        { authorization: `Bearer ${token}` },
      )
      expect(answer).toMatchObject({ status: 401, body: { detail: 'invalid token' } })
    }
  })
})
