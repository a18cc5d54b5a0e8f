import { expect } from 'vitest'
import { realSeconds } from '#scenarios/harness/control-client.ts'

/** A time may be in whole seconds, and a block must be later than the previous block. */
const rounding = 2

/**
 * Expects a time that was read after `began` from a clock that is `aheadSeconds` ahead of the real
 * clock. The accepted range grows with the time that has passed, so a slow machine does not fail.
 *
 * @param time Unix seconds
 * @param began Unix seconds, by {@link realSeconds}
 */
export function expectReadSince(time: number, began: number, aheadSeconds = 0): void {
  expect(time - aheadSeconds).toBeGreaterThanOrEqual(began - rounding)
  expect(time - aheadSeconds).toBeLessThanOrEqual(realSeconds() + rounding)
}

const factor = 32

/** Above this, work grows faster than its input: quadratic work shows 1024. */
export const linearGrowth = 4 * factor

/** The clock of a thread has steps of some milliseconds: shorter work cannot be measured. */
const leastMilliseconds = 30

/**
 * Returns how many times longer `work` takes for an input 32 times as large. Counts the processor's
 * time of this thread, in which no other program has a part, and the sizes alternate, so that a busy
 * machine slows both.
 */
export function measureGrowth<Input>(
  create: (size: number) => Input,
  work: (input: Input) => unknown,
): number {
  const size = 4096
  const [small, large] = [create(size), create(factor * size)]
  let [timeSmall, timeLarge] = [0, 0]
  while (Math.min(timeSmall, timeLarge) < leastMilliseconds) {
    // As much work as for the large input, so that both measurements are comparable.
    timeSmall += timeOf(() => {
      for (let time = 0; time < factor; time++) work(small)
    })
    timeLarge += timeOf(() => work(large))
    // The small input will not catch up.
    if (timeLarge > 40 * leastMilliseconds) break
  }
  return (factor * timeLarge) / timeSmall
}

function timeOf(run: () => void): number {
  const before = process.threadCpuUsage()
  run()
  const { user, system } = process.threadCpuUsage(before)
  return (user + system) / 1000
}
