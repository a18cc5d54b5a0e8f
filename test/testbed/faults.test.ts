import { describe, expect, it } from 'vitest'
import { createFaultSwitchboard, isFaultName } from '#testbed/faults.ts'

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
    expect(createFaultSwitchboard().list()).toHaveLength(12)
    expect(isFaultName('status-list-down')).toBe(true)
    expect(isFaultName('constructor')).toBe(false)
  })
})
