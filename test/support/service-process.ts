import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { resolve } from 'node:path'
import { createInterface } from 'node:readline'
import { onTestFinished } from 'vitest'

export interface ServiceProcess {
  /** The address on which it listens, possibly not its public address. */
  readonly address: string
  /** Exit code, or the signal that ended it. */
  readonly ended: Promise<number | NodeJS.Signals | null>
}

/**
 * The point at which a process ends: before or after a statement, with a certain parameter, or after
 * the transaction that the statement belongs to.
 */
export interface KillPoint {
  readonly when: 'before' | 'after' | 'committed'
  readonly statement: RegExp
  readonly parameter?: string
}

/** Runs a service from its main.ts in a separate process; killed with the running test. */
export async function spawnService(
  name: string,
  environment: Readonly<Record<string, string>>,
  killPoint?: KillPoint,
): Promise<ServiceProcess> {
  const program = resolve(import.meta.dirname, `../../services/${name}/main.ts`)
  const hook = killPoint ? ['--import', resolve(import.meta.dirname, 'kill-at-statement.ts')] : []
  const child = spawn(process.execPath, [...hook, program], {
    env: { ...inherited(), ...environment, ...variablesOf(killPoint) },
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  const ended = once(child, 'exit').then(([code, signal]) => code ?? signal)
  onTestFinished(async () => {
    child.kill('SIGKILL')
    await ended
  })
  const said: string[] = []
  for await (const line of createInterface(child.stderr)) {
    said.push(line)
    const port = /"port":(\d+).*"listening"/.exec(line)?.[1]
    if (port === undefined) continue
    child.stderr.resume()
    return { address: `http://127.0.0.1:${port}`, ended }
  }
  throw new Error(`The service ${name} did not start: ${said.join('\n')}`)
}

/** Nothing that configures a service. Without the cache, a start compiles every module again. */
function inherited(): Record<string, string> {
  const { PATH = '', NODE_COMPILE_CACHE } = process.env
  return NODE_COMPILE_CACHE === undefined ? { PATH } : { PATH, NODE_COMPILE_CACHE }
}

function variablesOf(killPoint: KillPoint | undefined): Record<string, string> {
  if (!killPoint) return {}
  const { when, statement, parameter } = killPoint
  return {
    KILL_WHEN: when,
    KILL_STATEMENT: statement.source,
    ...(parameter === undefined ? {} : { KILL_PARAMETER: parameter }),
  }
}
