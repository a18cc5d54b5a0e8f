import { describe, expect, it } from 'vitest'
import { requireReach } from '#services/issuer/domain/bearer-claims.ts'
import { callJson } from '#test/support/http.ts'
import { type IssuanceSystem, power, startIssuanceSystem } from '#test/support/issuance.ts'

const own = { organization_identifier: 'A' }
const supervisor = { type: 'Domain', domain: 'PORTAL', function: 'Supervision', action: 'Read' }
const supervising = { ...supervisor, action: ['Read'] }
const plain = { crossOrganizationPower: undefined, requirePowerToManage: false }

const passes = (
  payload: Record<string, unknown>,
  organizations: string[],
  config: Parameters<typeof requireReach>[3],
  action: 'read' | 'delete' = 'read',
) => {
  try {
    requireReach(payload, organizations, action, config)
    return true
  } catch {
    return false
  }
}

describe('access to the credentials of organizations (A-40)', () => {
  it('the own organization only, by default', () => {
    expect(passes(own, ['A'], plain)).toBe(true)
    expect(passes(own, [], plain)).toBe(true)
    expect(passes(own, ['A', 'B'], plain)).toBe(false)
    expect(passes({}, [], plain)).toBe(false)
    expect(passes({ ...own, power: [supervising] }, ['B'], plain)).toBe(false)
  })

  it('every organization with the configured power, as an array or a string', () => {
    const config = { ...plain, crossOrganizationPower: supervisor }
    expect(passes({ ...own, power: [supervising] }, ['B'], config)).toBe(true)
    expect(passes({ ...own, power: JSON.stringify([supervising]) }, ['B'], config)).toBe(true)
    expect(passes({ ...own, power: [power] }, ['B'], config)).toBe(false)
    expect(passes({ ...own, power: '[' }, ['B'], config)).toBe(false)
    expect(passes({ ...own, power: [{ ...supervising, action: ['Write'] }] }, ['B'], config)).toBe(
      false,
    )
  })

  it('if it is enabled, only with a power for the action', () => {
    const config = { ...plain, requirePowerToManage: true }
    const reader = { ...own, power: [{ ...power, action: ['Read'] }] }
    expect(passes(reader, ['A'], config, 'read')).toBe(true)
    expect(passes(reader, ['A'], config, 'delete')).toBe(false)
    expect(passes(own, ['A'], config, 'read')).toBe(false)
  })
})

describe('the setting for own powers (A-40)', () => {
  it('requires that the token contains the requested powers', async () => {
    const system: IssuanceSystem = await startIssuanceSystem({ issuer: { requireOwnPowers: true } })
    const request = async (claims: Record<string, unknown>) => {
      const { status } = await callJson(`${system.issuer.baseUrl}/issuance/representative`, {
        json: { power: [power] },
        headers: { authorization: `Bearer ${await system.tokenIssuer.mint(claims)}` },
      })
      return status
    }
    expect(await request({})).toBe(400)
    expect(await request({ power: JSON.stringify([power]) })).toBe(200)
    await system.stop()
  })
})
