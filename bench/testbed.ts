import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type Base, type Figure, judge, type Measurement, median, type Table } from './harness.ts'
import { here, programOf, startTestbedProcess, withTemporaryFolder } from './testbed-process.ts'

/** The target: the largest ratio of our time to the base's. */
const largestRatio = 0.6

/** This revision, then the base. */
const rootsOf = (base: Base | undefined): readonly string[] =>
  base === undefined ? [here] : [here, base.root]

const seconds = (milliseconds: number) => `${(milliseconds / 1000).toFixed(2)} s`

/**
 * Durations of alternating rounds, of this revision and of the base: the absolute target, and the ratio
 * to the base.
 * @param atMost milliseconds
 */
export function describeDurations(
  what: string,
  [ours = [], theirs = []]: readonly (readonly number[])[],
  atMost: number,
  base?: Base,
): readonly Figure[] {
  const middle = median(ours)
  const absolute: Figure = {
    what,
    ours: `${seconds(middle)} (slowest ${seconds(Math.max(...ours))})`,
    target: `at most ${atMost / 1000} s`,
    holds: middle <= atMost,
  }
  if (base === undefined) return [absolute]
  const ratio = median(ours.map((duration, round) => duration / (theirs[round] ?? Number.NaN)))
  const relative: Figure = {
    what: `${what}, compared with ${base.revision}`,
    ours: seconds(middle),
    peer: seconds(median(theirs)),
    ...judge(ratio, { atMost: largestRatio }),
  }
  return [absolute, relative]
}

const startRounds = 5

export const measureStart: Measurement = async (say, base) => {
  const roots = rootsOf(base)
  const fresh = roots.map((): number[] => [])
  const again = roots.map((): number[] => [])
  for (let round = 1; round <= startRounds; round++) {
    for (const [side, root] of roots.entries()) {
      await withTemporaryFolder(async (folder) => {
        for (const durations of [fresh, again]) {
          const testbed = await startTestbedProcess(folder, { root })
          durations[side]?.push(testbed.startMilliseconds)
          await testbed.stop()
        }
      })
    }
    const shown = roots.map(
      (_, side) =>
        `${fresh[side]?.at(-1)?.toFixed(0)} ms, then ${again[side]?.at(-1)?.toFixed(0)} ms`,
    )
    say(`round ${round}: ${shown.join(' to ')}`)
  }
  return [
    ...describeDurations('start on a fresh data folder', fresh, 1200, base),
    ...describeDurations('start on the same folder', again, 800, base),
  ]
}

/** Runs all suites. Returns milliseconds until the first line of output, and until the end. */
async function runSuites(root: string, folder: string, ...options: string[]) {
  const began = performance.now()
  const args = [programOf(root), 'run', '--report', join(folder, 'report'), ...options]
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'ignore'], cwd: folder })
  const ended = once(child, 'exit')
  let first = Number.NaN
  child.stdout.once('data', () => {
    first = performance.now() - began
  })
  child.stdout.resume()
  const [code] = await ended
  if (code !== 0) throw new Error(`testbed run ended with ${code}`)
  return { first, all: performance.now() - began }
}

const suiteRounds = 3
/** Milliseconds until the first result. */
const longestWait = 3000

export const measureSuites: Measurement = async (say, base) => {
  const roots = rootsOf(base)
  const durations = roots.map((): number[] => [])
  const waits: number[] = []
  for (let round = 1; round <= suiteRounds; round++) {
    for (const [side, root] of roots.entries()) {
      const { first, all } = await withTemporaryFolder((folder) => runSuites(root, folder))
      durations[side]?.push(all)
      if (side === 0) waits.push(first)
    }
    const shown = durations.map((side) => seconds(side.at(-1) ?? Number.NaN))
    say(`round ${round}: ${shown.join(' to ')}`)
  }
  return [
    ...describeDurations('all scenario suites, from nothing running', durations, 20_000, base),
    {
      what: 'time to the first result of the suites',
      ours: seconds(median(waits)),
      target: `at most ${longestWait / 1000} s`,
      holds: median(waits) <= longestWait,
    },
  ]
}

/** Resident memory of a process in MiB. */
export async function memoryOf(pid: number): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8')
  return Number(/VmRSS:\s+(\d+)/.exec(status)?.[1]) / 1024
}

const memoryRuns = 5
/** Of the base, only to compare. */
const baseRuns = 2
/** The target, in MiB. */
const mostMemory = 300
/** From the second run to the last one. */
const mostGrowth = 1.05

/** MiB of a running testbed without its chain, after each of some runs of all suites. */
async function measureRuns(root: string, runs: number, say: (line: string) => void) {
  return await withTemporaryFolder(async (folder) => {
    const testbed = await startTestbedProcess(join(folder, 'testbed'), { root })
    try {
      const memory: number[] = []
      for (let run = 1; run <= runs; run++) {
        await runSuites(root, folder, '--testbed', join(folder, 'testbed', 'testbed.json'))
        memory.push(await memoryOf(testbed.pid))
        say(`run ${run}: ${memory.at(-1)?.toFixed(0)} MiB`)
      }
      return memory
    } finally {
      await testbed.stop()
    }
  })
}

export const measureMemory: Measurement = async (say, base) => {
  const ours = await measureRuns(here, memoryRuns, say)
  const [largest, growth] = [Math.max(...ours), (ours.at(-1) ?? 0) / (ours[1] ?? Number.NaN)]
  const figures: Figure[] = [
    {
      what: 'resident memory without the chain, after each run of all suites',
      ours: `at most ${largest.toFixed(0)} MiB`,
      target: `at most ${mostMemory} MiB`,
      holds: largest <= mostMemory,
    },
    {
      what: `growth from the second run to run ${memoryRuns}`,
      ours: `${ours[1]?.toFixed(0)} to ${ours.at(-1)?.toFixed(0)} MiB`,
      ...judge(growth, { atMost: mostGrowth }),
    },
  ]
  const row = (name: string, values: readonly number[]) => [
    name,
    ...Array.from({ length: memoryRuns }, (_, run) => values[run]?.toFixed(0) ?? ''),
  ]
  const table: Table = {
    title: 'resident memory after each run, MiB',
    columns: ['revision', ...ours.map((_, run) => `run ${run + 1}`)],
    rows: [row('now', ours)],
  }
  if (base === undefined) return [...figures, table]
  const theirs = await measureRuns(base.root, baseRuns, say)
  return [...figures, { ...table, rows: [...table.rows, row(base.revision, theirs)] }]
}
