import { expect } from 'vitest'

/** Unix seconds with a fraction, whatever clock was put in the place of this process's. */
export const realSeconds = (): number => (performance.timeOrigin + performance.now()) / 1000

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

const factor = 32

/** Above this, work grows faster than its input: quadratic work shows 1024. */
export const linearGrowth = 4 * factor

/**
 * How many times longer `work` takes for an input 32 times as large. Both sizes take turns and the
 * quickest run of each counts: more runs only bring the figure closer to what the work itself takes,
 * so a doubtful one is measured for longer.
 */
export function measureGrowth<Input>(
  create: (size: number) => Input,
  work: (input: Input) => unknown,
  size = 4096,
): number {
  const [small, large] = [create(size), create(factor * size)]
  let [timeSmall, timeLarge] = [Infinity, Infinity]
  const growth = () => (factor * timeLarge) / timeSmall
  const began = performance.now()
  for (let run = 0; run < 5 || growth() > 2 * factor; run++) {
    // As much work as for the large one, so that both are measured alike.
    timeSmall = Math.min(
      timeSmall,
      timeOf(() => repeat(() => work(small), factor)),
    )
    timeLarge = Math.min(
      timeLarge,
      timeOf(() => work(large)),
    )
    if (run >= 50 || performance.now() - began > 4000) break
  }
  return growth()
}

function timeOf(run: () => void): number {
  const began = performance.now()
  run()
  return performance.now() - began
}

function repeat(run: () => void, times: number): void {
  for (let time = 0; time < times; time++) run()
}
