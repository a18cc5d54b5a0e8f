import { setTimeout as wait } from 'node:timers/promises'
import { TestbedError } from '#core/errors/testbed-error.ts'
import type { StartCommand } from '../z-start-command.ts'
import { keepOutput } from './keep-output.ts'
import { type ProgramExit, spawnProgram } from './spawn-program.ts'
import { splitCommand } from './split-command.ts'

/** A program that runs beside the plan. */
export interface StartedProgram {
  /** What it has written since this was last asked. */
  takeOutput(): string
  /** Ends it with all that it started, by force where it does not end by itself. */
  stop(): Promise<void>
}

export interface StartProgramOptions {
  /** Added to its environment. */
  readonly environment: Readonly<Record<string, string>>
  readonly signal: AbortSignal
}

const betweenQuestions = 50
const longestHint = 2000

/**
 * Starts a target's program and waits until its `ready` address answers with a 2xx.
 * @throws TestbedError `not_started` with the end of what it wrote
 */
export async function startProgram(
  { command, folder, environment, ready, timeoutSeconds = 30 }: StartCommand,
  options: StartProgramOptions,
): Promise<StartedProgram> {
  const program = spawnProgram(splitCommand(command) ?? [], {
    folder,
    environment: { ...options.environment, ...environment },
  })
  const output = keepOutput(program.stdout, program.stderr)
  const stop = async () => {
    program.stop()
    await program.ended
  }
  const timeLimit = AbortSignal.timeout(timeoutSeconds * 1000)
  const waiting = new AbortController()
  const signal = AbortSignal.any([options.signal, timeLimit, waiting.signal])
  const problem = await Promise.race([
    program.ended.then((exit) => `ended before it was ready (${describeExit(exit)})`),
    program.begun
      .then(() => untilReady(ready, signal))
      .then((isReady) =>
        isReady ? undefined : `did not answer at ${ready} within ${timeoutSeconds} seconds`,
      ),
  ])
  waiting.abort()
  if (problem === undefined) return { takeOutput: output.take, stop }
  await stop()
  const said = output.take().trim()
  throw new TestbedError({
    code: 'not_started',
    status: 500,
    message: `The target's start command ${problem}: ${command}`,
    hints: [said === '' ? 'It wrote nothing.' : `It wrote: ${said.slice(-longestHint)}`],
  })
}

const describeExit = ({ exitCode, killedBy, notStarted }: ProgramExit) =>
  notStarted ?? (killedBy ? `by ${killedBy}` : `exit code ${exitCode}`)

async function untilReady(ready: string | undefined, signal: AbortSignal): Promise<boolean> {
  if (ready === undefined) return true
  while (!signal.aborted) {
    const response = await fetch(ready, { signal, redirect: 'manual' }).catch(() => undefined)
    await response?.body?.cancel()
    if (response?.ok) return true
    await wait(betweenQuestions, undefined, { signal }).catch(() => {})
  }
  return false
}
