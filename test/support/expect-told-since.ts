import { expect } from 'vitest'
import { realSeconds } from './real-seconds.ts'

/** A time may be told in whole seconds, and a block has to be later than the one before it. */
const rounding = 2

/**
 * Expects a time that was told after `began` by a clock that is so many seconds ahead of the real one.
 * The slower the machine is, the longer the time that it may be of, so that no machine is too slow.
 *
 * @param time Unix seconds
 * @param began Unix seconds, by {@link realSeconds}
 */
export function expectToldSince(time: number, began: number, aheadSeconds = 0): void {
  expect(time - aheadSeconds).toBeGreaterThanOrEqual(began - rounding)
  expect(time - aheadSeconds).toBeLessThanOrEqual(realSeconds() + rounding)
}
