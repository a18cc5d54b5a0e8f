import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { onTestFinished } from 'vitest'
import { type TestbedFile, zTestbedFile } from '#scenarios/harness/z-testbed-file.ts'

const program = resolve(import.meta.dirname, '../../bin/testbed')

export interface TestbedProcess {
  readonly child: ChildProcess
  readonly folder: string
  /** Everything on stdout so far. */
  stdout(): string
  stderr(): string
  /** Settles when the testbed has said that it is healthy. */
  readonly healthy: Promise<TestbedFile>
  /** Exit code, or the signal that ended it. */
  readonly ended: Promise<number | NodeJS.Signals | null>
}

/** `testbed up` as a process of its own, on free ports; killed with the running test. */
export function spawnTestbed(folder: string, ...options: string[]): TestbedProcess {
  const child = spawn(
    process.execPath,
    [program, 'up', '--port-base', '0', '--data', folder, ...options],
    { stdio: ['ignore', 'pipe', 'pipe'] },
  )
  let stdout = ''
  let stderr = ''
  let isHealthy = false
  const healthy = Promise.withResolvers<TestbedFile>()
  healthy.promise.catch(() => {})
  child.stdout.on('data', (chunk) => {
    stdout += chunk
  })
  child.stderr.on('data', (chunk) => {
    stderr += chunk
    // What it says later comes when the file may be gone again.
    if (isHealthy || !/Ctrl-C stops everything/.test(stderr)) return
    isHealthy = true
    healthy.resolve(readTestbedFile(folder))
  })
  const ended = once(child, 'exit').then(([code, signal]) => {
    healthy.reject(new Error(`The testbed ended with ${code ?? signal}:\n${stderr}`))
    return code ?? signal
  })
  onTestFinished(async () => {
    child.kill('SIGKILL')
    await ended
  })
  return {
    child,
    folder,
    stdout: () => stdout,
    stderr: () => stderr,
    healthy: healthy.promise,
    ended,
  }
}

export function readTestbedFile(folder: string): TestbedFile {
  return zTestbedFile.parse(JSON.parse(readFileSync(join(folder, 'testbed.json'), 'utf8')))
}
