import { describe, expect, it } from 'vitest'
import { createFaultSwitchboard, isFaultName } from '#testbed/process/faults.ts'

describe('the switchboard of faults', () => {
  it('has all off until one is set, and off again after it', () => {
    const faults = createFaultSwitchboard()
    expect(faults.list().filter(({ active }) => active)).toEqual([])
    faults.set('tir-down', true)
    expect(faults.isActive('tir-down')).toBe(true)
    expect(faults.isActive('tir-slow')).toBe(false)
    faults.set('tir-down', false)
    expect(faults.isActive('tir-down')).toBe(false)
  })

  it('knows the names of the control interface and no others', () => {
    // Those of the control interface's table, and one for what stands before the IDP.
    expect(
      createFaultSwitchboard()
        .list()
        .map(({ name }) => name)
        .sort(),
    ).toEqual([
      'api-keys-down',
      'chain-down',
      'connector-down',
      'database-down',
      'did-registry-down',
      'idp-down',
      'mail-down',
      'management-down',
      'notification-lost',
      'status-list-down',
      'tir-down',
      'tir-slow',
      'verifier-down',
    ])
    expect(isFaultName('status-list-down')).toBe(true)
    expect(isFaultName('constructor')).toBe(false)
  })
})
