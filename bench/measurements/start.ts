import type { Figure, Measurement } from '../harness/measurement.ts'
import { median } from '../harness/median.ts'
import { startTestbedProcess, withTemporaryFolder } from '../testbed/start-testbed-process.ts'

const rounds = 5
/** Milliseconds (design/architecture.md, Speed). */
const longest = 2000

function figureOf(what: string, durations: readonly number[]): Figure {
  const middle = median(durations)
  return {
    what,
    ours: `${(middle / 1000).toFixed(2)} s (slowest ${(Math.max(...durations) / 1000).toFixed(2)} s)`,
    target: `at most ${longest / 1000} s`,
    holds: middle <= longest,
  }
}

export const measurement: Measurement = {
  title: '`testbed up` from its process to healthy; contracts deployed and trust chain seeded',
  async measure(say) {
    const fresh: number[] = []
    const again: number[] = []
    for (let round = 1; round <= rounds; round++) {
      await withTemporaryFolder(async (folder) => {
        for (const durations of [fresh, again]) {
          const testbed = await startTestbedProcess(folder)
          durations.push(testbed.startMilliseconds)
          await testbed.stop()
        }
      })
      say(`round ${round}: ${fresh.at(-1)?.toFixed(0)} ms, then ${again.at(-1)?.toFixed(0)} ms`)
    }
    return [
      figureOf('start on a fresh data folder', fresh),
      figureOf('start on the same folder', again),
    ]
  },
}
