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

/**
 * Milliseconds of this thread's processor time after which a doubtful figure counts: a busy machine
 * gives the thread less of it, and so more time to measure.
 */
const longestWork = 2000

/**
 * Returns how many times longer `work` takes for an input 32 times as large. The sizes alternate, and
 * the fastest run of each counts: with more runs the figure approaches the true cost, so a
 * doubtful figure is measured for longer.
 */
export function measureGrowth<Input>(
  create: (size: number) => Input,
  work: (input: Input) => unknown,
): number {
  const size = 4096
  const [small, large] = [create(size), create(factor * size)]
  let [timeSmall, timeLarge] = [Infinity, Infinity]
  const growth = () => (factor * timeLarge) / timeSmall
  const before = process.threadCpuUsage()
  const isOver = () => {
    const { user, system } = process.threadCpuUsage(before)
    return (user + system) / 1000 > longestWork
  }
  for (let run = 0; run < 5 || (growth() > 2 * factor && !isOver()); run++) {
    // As much work as for the large input, so that both measurements are comparable.
    const repeated = timeOf(() => {
      for (let time = 0; time < factor; time++) work(small)
    })
    timeSmall = Math.min(timeSmall, repeated)
    timeLarge = Math.min(
      timeLarge,
      timeOf(() => work(large)),
    )
  }
  return growth()
}

/**
 * Milliseconds of this thread's processor time that the work takes: a busy machine makes it wait, but
 * not work.
 */
export async function workOf(run: () => unknown): Promise<number> {
  const before = process.threadCpuUsage()
  await run()
  const { user, system } = process.threadCpuUsage(before)
  return (user + system) / 1000
}

function timeOf(run: () => void): number {
  const began = performance.now()
  run()
  return performance.now() - began
}
