import { type ChildProcessByStdio, spawn } from 'node:child_process'
import { once } from 'node:events'
import type { Readable } from 'node:stream'
import { onTestFinished } from 'vitest'
import { terminalEnvironment } from '#test/support/installed-package.ts'

export interface TerminalOptions {
  readonly cwd: string
  readonly env?: Readonly<Record<string, string>>
}

/** Runs a command line as in a separate terminal, where Ctrl-C ends it with the test. */
export function startInTerminal(
  command: string,
  { cwd, env = {} }: TerminalOptions,
): ChildProcessByStdio<null, Readable, Readable> {
  const child = spawn('sh', ['-c', command], {
    cwd,
    env: { ...terminalEnvironment, ...env },
    // Ctrl-C goes to all that the shell started.
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const end = once(child, 'close')
  onTestFinished(async () => {
    if (child.pid !== undefined && child.exitCode === null) process.kill(-child.pid, 'SIGINT')
    // The test no longer reads; the remaining output must not block the process.
    child.stdout.resume()
    child.stderr.resume()
    await end
  })
  return child
}
