import { describe, expect, it } from 'vitest'
import { createPurge } from '#kit/create-purge.ts'

describe('createPurge', () => {
  it('runs once a minute at most, and after the clock was set back', async () => {
    const runs: number[] = []
    let now = 1_000_000
    const clock = { seconds: () => now, milliseconds: () => now * 1000 }
    const purge = createPurge(clock, async (at) => runs.push(at))
    const times = [1_000_000, 1_000_059, 1_000_060, 1_000_061, 999_000]
    for (const time of times) {
      now = time
      await purge()
    }
    expect(runs).toEqual([1_000_000, 1_000_060, 999_000])
  })
})
