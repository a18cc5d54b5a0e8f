import { describe, expect, it } from 'vitest'
import { askIssuer, postJson, startIssuanceSystem } from '#test/support/issuance.ts'
import { expectDocumentedExamples } from '#test/support/open-api.ts'

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

  it('answers 404 and 405 in its error form', async () => {
    const { baseUrl } = system.issuer
    const unknown = await postJson(`${baseUrl}/issuance/none`, {})
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
