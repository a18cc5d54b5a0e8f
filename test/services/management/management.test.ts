import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { createManagementService } from '#services/management/create-management-service.ts'
import { callJson } from '#test/support/http.ts'
import { expectDocumentedExamples } from '#test/support/open-api.ts'
import { createTestRuntime, type RunningService, startService } from '#test/support/services.ts'
import { createTemporaryFolder } from '#test/support/temporary-folder.ts'

const power = { type: 'Domain', domain: 'PORTAL', function: 'Onboarding', action: ['Execute'] }
const apiKey = 'an api key of the stand-in'

const start = (config: object = {}) =>
  startService((baseUrl) =>
    createManagementService(
      {
        baseUrl,
        apiKeys: [apiKey],
        organizations: [
          { organizationIdentifier: 'VATES-A12345678', authorizedPowers: [power] },
          { organizationIdentifier: 'VATES-B00000000', authorizedPowers: null },
        ],
        ...config,
      },
      createTestRuntime(),
    ),
  )

let management: RunningService
beforeAll(async () => {
  management = await start()
})
afterAll(() => management.stop())

const get = (
  identifier: string,
  headers: Record<string, string> = { authorization: 'Bearer x' },
  { baseUrl } = management,
  signal: AbortSignal | null = null,
) => fetch(`${baseUrl}/managements/organization/${identifier}`, { headers, signal })

function edit(
  method: string,
  path: string,
  json?: unknown,
  { server = management, headers = { 'x-api-key': apiKey } as Record<string, string> } = {},
) {
  return callJson(`${server.baseUrl}/stand-in${path}`, { method, headers, json })
}

describe('management API stand-in', () => {
  it('returns the authorized powers in the form of A-24', async () => {
    const answer = await get('VATES-A12345678')
    expect(answer.status).toBe(200)
    expect(await answer.json()).toEqual({
      organization_identifier: 'VATES-A12345678',
      role: { type: 'LEGAL_REPRESENTATIVE', policies: [power] },
    })
  })

  it('returns a null role, 404 for an unknown organization, and 401 without a Bearer token', async () => {
    expect(await (await get('VATES-B00000000')).json()).toMatchObject({ role: null })
    expect((await get('VATES-C')).status).toBe(404)
    expect((await get('VATES-A12345678', {})).status).toBe(401)
  })

  it('has health, metrics and documentation with valid examples', async () => {
    for (const path of ['/health', '/metrics', '/swagger']) {
      expect((await fetch(management.baseUrl + path)).status).toBe(200)
    }
    await expectDocumentedExamples(management.baseUrl)
  })
})

describe('editing organizations at run time', () => {
  const path = '/organizations/VATES-NEW'

  it('adds, changes and deletes an organization', async () => {
    const added = await edit('PUT', path, { role_type: 'CEO', authorized_powers: [power] })
    expect(added.body).toEqual({
      organization_identifier: 'VATES-NEW',
      role_type: 'CEO',
      authorized_powers: [power],
    })
    expect(await (await get('VATES-NEW')).json()).toMatchObject({
      role: { type: 'CEO', policies: [power] },
    })
    await edit('PUT', path, { authorized_powers: null })
    expect(await (await get('VATES-NEW')).json()).toMatchObject({ role: null })
    const { body } = await edit('GET', '/organizations')
    expect(
      body.organizations.map((each: Record<string, unknown>) => each.organization_identifier),
    ).toEqual(['VATES-A12345678', 'VATES-B00000000', 'VATES-NEW'])
    expect((await edit('DELETE', path)).status).toBe(204)
    expect((await edit('DELETE', path)).status).toBe(404)
    expect((await get('VATES-NEW')).status).toBe(404)
  })

  it('rejects a power without action, an unknown member, and a client without the key', async () => {
    const wrong = [
      { authorized_powers: [{ ...power, action: [] }] },
      { authorized_powers: 'all' },
      { authorized_powers: [], powers: [] },
      {},
    ]
    for (const json of wrong) expect((await edit('PUT', path, json)).status).toBe(400)
    for (const headers of [{}, { 'x-api-key': 'wrong' }] as Record<string, string>[]) {
      for (const [method, place] of [
        ['GET', '/organizations'],
        ['PUT', path],
        ['DELETE', path],
        ['GET', '/failure'],
        ['PUT', '/failure'],
        ['DELETE', '/failure'],
      ] as const) {
        expect((await edit(method, place, undefined, { headers })).status).toBe(401)
      }
    }
  })

  it('survives a restart, and the configuration does not revert it', async () => {
    const databaseUrl = `sqlite:${createTemporaryFolder()}/management.sqlite`
    const first = await start({ databaseUrl })
    await edit(
      'PUT',
      '/organizations/VATES-A12345678',
      { authorized_powers: [] },
      { server: first },
    )
    await edit('DELETE', '/organizations/VATES-B00000000', undefined, { server: first })
    await first.stop()
    const second = await start({ databaseUrl })
    onTestFinished(() => second.stop())
    const answer = await get('VATES-A12345678', { authorization: 'Bearer x' }, second)
    expect(await answer.json()).toMatchObject({ role: { policies: [] } })
    expect((await get('VATES-B00000000', { authorization: 'Bearer x' }, second)).status).toBe(404)
  })
})

describe('failing on request', () => {
  const fail = (json: object) => edit('PUT', '/failure', json)

  it('closes the connection, or returns 500, 404, invalid JSON, another form or organization', async () => {
    expect((await fail({ failure: 'down' })).status).toBe(200)
    await expect(get('VATES-A12345678')).rejects.toThrow()
    await fail({ failure: 'error' })
    expect((await get('VATES-A12345678')).status).toBe(500)
    await fail({ failure: 'not-found' })
    expect((await get('VATES-A12345678')).status).toBe(404)
    await fail({ failure: 'malformed' })
    const malformed = await get('VATES-A12345678')
    expect(malformed.status).toBe(200)
    await expect(malformed.json()).rejects.toThrow()
    await fail({ failure: 'wrong-shape' })
    expect(await (await get('VATES-A12345678')).json()).toHaveProperty('organization', 7)
    await fail({ failure: 'wrong-organization' })
    expect(await (await get('VATES-A12345678')).json()).toMatchObject({
      organization_identifier: 'VATES-SOMEBODY-ELSE',
    })
    expect((await edit('GET', '/failure')).body.failure).toMatchObject({
      failure: 'wrong-organization',
    })
    await edit('DELETE', '/failure')
    expect((await get('VATES-A12345678')).status).toBe(200)
    expect((await edit('GET', '/failure')).body).toEqual({ failure: null })
    expect((await fail({ failure: 'haunted' })).status).toBe(400)
  })

  it('answers late, and only for the selected organization', async () => {
    const organization_identifier = 'VATES-A12345678'
    await fail({ failure: 'slow', seconds: 60, organization_identifier })
    const patience = new AbortController()
    const late = get(organization_identifier, undefined, management, patience.signal)
    expect((await get('VATES-B00000000')).status).toBe(200)
    patience.abort()
    await expect(late).rejects.toThrow('aborted')
    await fail({ failure: 'slow', seconds: 0.1 })
    const began = performance.now()
    expect((await get(organization_identifier)).status).toBe(200)
    expect(performance.now() - began).toBeGreaterThanOrEqual(99)
    await edit('DELETE', '/failure')
  })
})
