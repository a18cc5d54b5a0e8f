import { afterEach, describe, expect, it } from 'vitest'
import { realSeconds } from '#scenarios/harness/control-client.ts'
import { expectReadSince } from '#test/support/timing.ts'
import { installMovableClock, type MovableClock } from '#testbed/process/clock.ts'

const RealDate = Date
const clocks: MovableClock[] = []
const install = () => {
  const clock = installMovableClock()
  clocks.push(clock)
  return clock
}
afterEach(() => {
  for (const clock of clocks.splice(0)) clock.uninstall()
})

describe('the movable clock', () => {
  it('moves Date everywhere, in every way of reading it', () => {
    const clock = install()
    clock.advance(3600)
    const began = realSeconds()
    const asked = new Date()
    for (const time of [Date.now(), asked.getTime(), RealDate.parse(Date())]) {
      expectReadSince(time / 1000, began, 3600)
    }
    expectReadSince(clock.seconds(), began, 3600)
    expect(clock.offset).toBe(3600_000)
  })

  it('does not change anything else in Date', () => {
    install().advance(3600)
    expect(new Date(0).toISOString()).toBe('1970-01-01T00:00:00.000Z')
    expect(new Date(2026, 0, 2, 3, 4, 5).getMonth()).toBe(0)
    expect(new Date('2026-11-21T10:00:00Z').getTime()).toBe(1_795_255_200_000)
    expect(Date.UTC(2026, 10, 21)).toBe(RealDate.UTC(2026, 10, 21))
    expect(Date.parse('2026-11-21T10:00:00Z')).toBe(1_795_255_200_000)
    expect(new Date()).toBeInstanceOf(Date)
    expect(new Date()).toBeInstanceOf(RealDate)
    expect(new RealDate()).toBeInstanceOf(RealDate)
    expect(structuredClone(new Date(5)).getTime()).toBe(5)
  })

  it('returns to real time, and restores Date with the last uninstall', () => {
    const one = install()
    const other = install()
    one.advance(100)
    expect(other.offset).toBe(100_000)
    other.moveTo(0)
    expect(one.offset).toBe(0)
    one.advance(100)
    one.uninstall()
    one.uninstall()
    expect(Date.now() - RealDate.now()).toBeGreaterThan(99_000)
    other.uninstall()
    expect(Date).toBe(RealDate)
  })
})
