import { describe, expect, it } from 'vitest'
import { unauthorizedPowers, zPowers } from '#core/power/power.ts'

const power = { type: 'Domain', domain: 'PORTAL', function: 'Onboarding', action: ['Execute'] }
const policies = [
  { ...power, action: ['Execute', 'Read'] },
  { type: 'Domain', domain: 'PORTAL', function: '*', action: ['Audit'] },
  { type: 'Domain', domain: 'CATALOGUE', function: 'Product', action: ['*'] },
]

describe('unauthorizedPowers', () => {
  it.each([
    ['an equal power', power],
    ['some of the actions', { ...power, action: ['Read'] }],
    ['any function by a wildcard', { ...power, function: 'Reports', action: ['Audit'] }],
    [
      'any action by a wildcard',
      { ...power, domain: 'CATALOGUE', function: 'Product', action: ['X'] },
    ],
  ])('covers %s', (_, requested) => {
    expect(unauthorizedPowers([requested], policies)).toEqual([])
  })

  it.each([
    ['another type', { ...power, type: 'Other' }],
    ['another domain', { ...power, domain: 'OTHER' }],
    ['another function', { ...power, function: 'Other' }],
    ['one action too many', { ...power, action: ['Execute', 'Delete'] }],
    ['actions of two policies combined', { ...power, action: ['Execute', 'Audit'] }],
    ['a wildcard in the request', { ...power, action: ['*'] }],
    ['another case', { ...power, action: ['execute'] }],
  ])('rejects %s', (_, requested) => {
    expect(unauthorizedPowers([power, requested], policies)).toEqual([requested])
  })

  it('rejects everything without policies', () => {
    expect(unauthorizedPowers([power], [])).toEqual([power])
  })

  it('a power needs its four members and at least one action', () => {
    expect(zPowers.safeParse([power]).success).toBe(true)
    expect(zPowers.safeParse([]).success).toBe(false)
    expect(zPowers.safeParse([{ ...power, action: [] }]).success).toBe(false)
    expect(zPowers.safeParse([{ ...power, action: 'Execute' }]).success).toBe(false)
    expect(zPowers.safeParse([{ ...power, domain: undefined }]).success).toBe(false)
  })
})
