import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type Figure, type Measurement, median } from './harness.ts'
import { here, programOf, startTestbedProcess, withTemporaryFolder } from './testbed-process.ts'

const startRounds = 5
/** Milliseconds (design/architecture.md, Speed). */
const longestStart = 2000

function startFigure(what: string, durations: readonly number[]): Figure {
  const middle = median(durations)
  return {
    what,
    ours: `${(middle / 1000).toFixed(2)} s (slowest ${(Math.max(...durations) / 1000).toFixed(2)} s)`,
    target: `at most ${longestStart / 1000} s`,
    holds: middle <= longestStart,
  }
}

export const measureStart: Measurement = async (say) => {
  const fresh: number[] = []
  const again: number[] = []
  for (let round = 1; round <= startRounds; round++) {
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
    startFigure('start on a fresh data folder', fresh),
    startFigure('start on the same folder', again),
  ]
}

/** Milliseconds (design/architecture.md, Speed). */
const longestSuites = 30_000
/** MiB (design/architecture.md, Speed). */
const mostMemory = 400

/** Runs all suites. Returns milliseconds. */
async function runSuites(folder: string, ...options: string[]): Promise<number> {
  const began = performance.now()
  const args = [programOf(here), 'run', '--report', join(folder, 'report'), ...options]
  const child = spawn(process.execPath, args, { stdio: 'ignore', cwd: folder })
  const [code] = await once(child, 'exit')
  if (code !== 0) throw new Error(`testbed run ended with ${code}`)
  return performance.now() - began
}

/** Resident memory of a process in MiB. */
async function memoryOf(pid: number): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8')
  return Number(/VmRSS:\s+(\d+)/.exec(status)?.[1]) / 1024
}

export const measureSuites: Measurement = () =>
  withTemporaryFolder(async (folder) => {
    const fromNothing = await runSuites(folder)
    const testbed = await startTestbedProcess(join(folder, 'testbed'))
    try {
      const file = join(folder, 'testbed', 'testbed.json')
      const running = await runSuites(folder, '--testbed', file)
      const memory = await memoryOf(testbed.pid)
      return [
        {
          what: 'all scenario suites, including the start of the testbed',
          ours: `${(fromNothing / 1000).toFixed(1)} s; ${(running / 1000).toFixed(1)} s against a running testbed`,
          target: `at most ${longestSuites / 1000} s`,
          holds: fromNothing <= longestSuites,
        },
        {
          what: 'resident memory after the suites, without the chain',
          ours: `${memory.toFixed(0)} MiB`,
          target: `at most ${mostMemory} MiB`,
          holds: memory <= mostMemory,
        },
      ]
    } finally {
      await testbed.stop()
    }
  })
