import { describe, expect, it } from 'vitest'
import { countWorkers } from '#testbed/command-line/workers/run-in-workers.ts'

describe('countWorkers', () => {
  it.each([
    [0, 8, 1],
    [2, 8, 1],
    [100, 8, 1],
    [101, 8, 2],
    [450, 2, 2],
    [450, 1, 1],
    [5000, 64, 4],
  ])('distributes %i runs on %i processors over %i processes', (runs, processors, workers) => {
    expect(countWorkers(runs, processors)).toBe(workers)
  })
})
