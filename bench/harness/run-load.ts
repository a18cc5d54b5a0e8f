/**
 * Does one whole operation. `index` is unique within a contest; `worker` counts from 0 below the
 * concurrency, and the operations of one worker follow each other.
 */
export type Operation = (index: number, worker: number) => Promise<unknown>

export interface Load {
  readonly concurrency: number
  /** Operations in one round. */
  readonly operations: number
}

export interface LoadResult {
  /** Operations a second. */
  readonly rate: number
  /** Milliseconds of one operation, half of them took less. */
  readonly median: number
  /** Milliseconds, 95 % took less. */
  readonly percentile95: number
}

/** Runs the operations with so many under way at a time. The first failure ends the run. */
export async function runLoad(operation: Operation, load: Load, from = 0): Promise<LoadResult> {
  const durations: number[] = []
  let next = 0
  const began = performance.now()
  const work = async (_: unknown, worker: number) => {
    while (next < load.operations) {
      const index = from + next++
      const start = performance.now()
      await operation(index, worker)
      durations.push(performance.now() - start)
    }
  }
  await Promise.all(Array.from({ length: load.concurrency }, work))
  const elapsed = performance.now() - began
  durations.sort((one, other) => one - other)
  return {
    rate: (durations.length / elapsed) * 1000,
    median: durations[Math.floor(durations.length * 0.5)] ?? 0,
    percentile95: durations[Math.floor(durations.length * 0.95)] ?? 0,
  }
}
