import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { type Environment, zTestbedFile } from '#scenarios/harness/z-testbed-file.ts'

export const program = resolve(import.meta.dirname, '../bin/testbed')

interface TestbedProcess {
  readonly environment: Environment
  readonly pid: number
  /** Milliseconds from the start of the process until it reported that everything is healthy. */
  readonly startMilliseconds: number
  /** Ends it and waits until it has ended; keeps the data folder. */
  stop(): Promise<void>
}

/** `testbed up` on a data folder, as a separate process on free ports. */
export async function startTestbedProcess(folder: string): Promise<TestbedProcess> {
  const began = performance.now()
  const child = spawn(
    process.execPath,
    [program, 'up', '--port-base', '0', '--data', folder, '--seed', 'bench'],
    { stdio: ['ignore', 'ignore', 'pipe'] },
  )
  const ended = once(child, 'exit')
  let said = ''
  await new Promise<void>((healthy, fail) => {
    child.stderr.on('data', (chunk) => {
      said += chunk
      if (said.includes('Ctrl-C stops everything')) healthy()
    })
    ended.then(() => fail(new Error(`The testbed ended:\n${said}`)), fail)
  })
  const startMilliseconds = performance.now() - began
  const json = JSON.parse(await readFile(join(folder, 'testbed.json'), 'utf8'))
  const { pre: environment } = zTestbedFile.parse(json).environments
  if (environment === undefined) throw new Error('no environment pre')
  return {
    environment,
    pid: child.pid ?? 0,
    startMilliseconds,
    async stop() {
      child.kill('SIGTERM')
      await ended
    },
  }
}

/** A folder that is removed after the work, even if it fails. */
export async function withTemporaryFolder<T>(work: (folder: string) => Promise<T>): Promise<T> {
  const folder = await mkdtemp(join(tmpdir(), 'testbed-bench-'))
  try {
    return await work(folder)
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}
