import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createManagementService } from '#services/management/create-management-service.ts'
import { createTestRuntime } from '#test/support/create-test-runtime.ts'
import { type RunningService, startService } from '#test/support/start-service.ts'

const power = { type: 'Domain', domain: 'PORTAL', function: 'Onboarding', action: ['Execute'] }
let management: RunningService

beforeAll(async () => {
  management = await startService((baseUrl) =>
    createManagementService(
      {
        baseUrl,
        organizations: [
          {
            organizationIdentifier: 'VATES-A12345678',
            roleType: 'LEGAL_REPRESENTATIVE',
            authorizedPowers: [power],
          },
          {
            organizationIdentifier: 'VATES-B00000000',
            roleType: 'LEGAL_REPRESENTATIVE',
            authorizedPowers: null,
          },
        ],
      },
      createTestRuntime(),
    ),
  )
})
afterAll(() => management.stop())

const get = (identifier: string, headers: Record<string, string> = { authorization: 'Bearer x' }) =>
  fetch(`${management.baseUrl}/managements/organization/${identifier}`, { headers })

describe('management API stand-in', () => {
  it('answers the authorised powers in the shape of A-24', async () => {
    const answer = await get('VATES-A12345678')
    expect(answer.status).toBe(200)
    expect(await answer.json()).toEqual({
      organization_identifier: 'VATES-A12345678',
      role: { type: 'LEGAL_REPRESENTATIVE', policies: [power] },
    })
  })

  it('answers a null role, 404 for an unknown one, and 401 without a Bearer', async () => {
    expect(await (await get('VATES-B00000000')).json()).toMatchObject({ role: null })
    expect((await get('VATES-C')).status).toBe(404)
    expect((await get('VATES-A12345678', {})).status).toBe(401)
  })

  it('has health, metrics and documentation', async () => {
    for (const path of ['/health', '/metrics', '/swagger', '/swagger/openapi.json']) {
      expect((await fetch(management.baseUrl + path)).status).toBe(200)
    }
  })
})
