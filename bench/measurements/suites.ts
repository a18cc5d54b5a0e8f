import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import type { Measurement } from '../harness/measurement.ts'
import { startTestbedProcess, withTemporaryFolder } from '../testbed/start-testbed-process.ts'

const program = resolve(import.meta.dirname, '../../bin/testbed')
/** Milliseconds (design/architecture.md, Speed). */
const longest = 30_000
/** MiB (design/architecture.md, Speed). */
const mostMemory = 400

/** Runs all suites: milliseconds. */
async function runSuites(folder: string, ...options: string[]): Promise<number> {
  const began = performance.now()
  const args = [program, 'run', '--report', join(folder, 'report'), ...options]
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

export const measurement: Measurement = {
  title: 'all scenario suites, and what the testbed weighs after them',
  measure: () =>
    withTemporaryFolder(async (folder) => {
      const fromNothing = await runSuites(folder)
      const testbed = await startTestbedProcess(join(folder, 'testbed'))
      try {
        const file = join(folder, 'testbed', 'testbed.json')
        const running = await runSuites(folder, '--testbed', file)
        const memory = await memoryOf(testbed.pid)
        return [
          {
            what: 'all scenario suites from nothing running',
            ours: `${(fromNothing / 1000).toFixed(1)} s; ${(running / 1000).toFixed(1)} s against a running testbed`,
            target: `at most ${longest / 1000} s`,
            holds: fromNothing <= longest,
          },
          {
            what: 'resident memory of everything but the chain after the suites',
            ours: `${memory.toFixed(0)} MiB`,
            target: `at most ${mostMemory} MiB`,
            holds: memory <= mostMemory,
          },
        ]
      } finally {
        await testbed.stop()
      }
    }),
}
