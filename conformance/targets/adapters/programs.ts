import { type ChildProcess, spawn } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import type { Readable } from 'node:stream'
import { setTimeout as wait } from 'node:timers/promises'
import { targetNotStarted, targetStartedBefore } from '../errors.ts'
import type { StartCommand } from '../target-members.ts'

interface SpawnProgramOptions {
  readonly folder?: string | undefined
  /** Its complete environment. */
  readonly environment: Readonly<Record<string, string>>
}

/** A program in a separate process group, and how it ends. */
interface SpawnedProgram {
  readonly stdout: ChildProcess['stdout']
  readonly stderr: ChildProcess['stderr']
  /** Resolves once it runs; never, if it could not be started. */
  readonly begun: Promise<void>
  /** Resolves once its process group has ended and its output is read; never rejects. */
  readonly ended: Promise<ProgramExit>
  /** Asks it and its child processes to terminate, and kills them if they do not. */
  stop(): void
}

/** One of the three: it exited by itself, a signal ended it, or it could not be started. */
interface ProgramExit {
  readonly exitCode?: number
  readonly killedBy?: NodeJS.Signals
  readonly notStarted?: string
}

const graceMilliseconds = 2000
/**
 * For output that is still in transit. What keeps the pipe open longer is not part of the program.
 */
const lastOutputMilliseconds = 500
const betweenLooks = 5

/**
 * Returns whether a process of the group still runs. A zombie does not count if the system lists its
 * processes: without an init process, as in some containers, its exit code is never collected.
 */
function isGroupRunning(group: number): boolean {
  let ids: string[]
  try {
    process.kill(-group, 0)
    ids = readdirSync('/proc').filter((name) => /^\d+$/.test(name))
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'ENOENT'
  }
  return ids.some((id) => {
    try {
      const status = readFileSync(`/proc/${id}/stat`, 'utf8').split(') ').at(-1)?.split(' ')
      return Number(status?.[2]) === group && status?.[0] !== 'Z'
    } catch {
      // It has ended since the list was read.
      return false
    }
  })
}

/**
 * Starts a program without a shell and without input. Processes that it leaves in its group end
 * with it, and it ends with this process.
 */
function spawnProgram(
  [program = '', ...args]: readonly string[],
  { folder, environment }: SpawnProgramOptions,
): SpawnedProgram {
  const { promise: ended, resolve } = Promise.withResolvers<ProgramExit>()
  const { promise: begun, resolve: begin } = Promise.withResolvers<void>()
  let child: ChildProcess
  try {
    child = spawn(program, args, {
      ...(folder === undefined ? {} : { cwd: folder }),
      env: environment,
      stdio: ['ignore', 'pipe', 'pipe'],
      detached: true,
    })
  } catch (error) {
    resolve({ notStarted: messageOf(error) })
    return { stdout: null, stderr: null, begun, ended, stop() {} }
  }
  const signalGroup = (signal: NodeJS.Signals) => {
    try {
      if (child.pid !== undefined) process.kill(-child.pid, signal)
    } catch {
      // They have ended already.
    }
  }
  const untilGroupHasEnded = async () => {
    const last = performance.now() + graceMilliseconds
    while (child.pid !== undefined && isGroupRunning(child.pid) && performance.now() < last) {
      await wait(betweenLooks)
    }
  }
  const endWithThisProcess = () => signalGroup('SIGKILL')
  process.once('exit', endWithThisProcess)
  let insist: NodeJS.Timeout | undefined
  let lastOutput: NodeJS.Timeout | undefined
  const settle = (exit: ProgramExit) => {
    clearTimeout(insist)
    clearTimeout(lastOutput)
    process.removeListener('exit', endWithThisProcess)
    resolve(exit)
  }
  child.once('spawn', begin)
  child.once('error', (error) => settle({ notStarted: messageOf(error) }))
  child.once('exit', () => {
    signalGroup('SIGKILL')
    lastOutput = setTimeout(() => {
      child.stdout?.destroy()
      child.stderr?.destroy()
    }, lastOutputMilliseconds)
  })
  child.once('close', async (code, signal) => {
    await untilGroupHasEnded()
    settle(code === null ? { killedBy: signal ?? 'SIGKILL' } : { exitCode: code })
  })
  return {
    stdout: child.stdout,
    stderr: child.stderr,
    begun,
    ended,
    stop() {
      if (insist !== undefined) return
      signalGroup('SIGTERM')
      insist = setTimeout(() => signalGroup('SIGKILL'), graceMilliseconds)
    },
  }
}

const messageOf = (error: unknown) => (error instanceof Error ? error.message : String(error))

const longestOutput = 1024 * 1024

/** The part of a program's output that is kept. */
interface KeptOutput {
  /** The output since the last call: its first MiB, and how much more there was. */
  take(): string
}

/** Reads streams to their end, so that the writer never blocks, and keeps the beginning. */
function keepOutput(...streams: readonly (Readable | null)[]): KeptOutput {
  let chunks: Buffer[] = []
  let length = 0
  for (const stream of streams) {
    stream?.on('data', (chunk: Buffer) => {
      const room = longestOutput - length
      if (room > 0) chunks.push(chunk.subarray(0, room))
      length += chunk.length
    })
  }
  return {
    take() {
      const text = Buffer.concat(chunks).toString('utf8')
      const more = length - longestOutput
      chunks = []
      length = 0
      return more > 0 ? `${text}\n… and ${more} more bytes` : text
    },
  }
}

export interface RunProgramOptions extends SpawnProgramOptions {
  readonly timeoutMilliseconds: number
  readonly signal: AbortSignal
}

/** How a program ended, and what it wrote: the first MiB of each. */
export interface ProgramEnd extends ProgramExit {
  /** Why it was stopped, if it was. */
  readonly stopped?: 'timed-out' | 'interrupted'
  readonly stdout: string
  readonly stderr: string
}

/** Runs a program until it ends, its time limit passes or it is interrupted. Never rejects. */
export async function runProgram(
  words: readonly string[],
  { timeoutMilliseconds, signal, ...options }: RunProgramOptions,
): Promise<ProgramEnd> {
  if (signal.aborted) return { stopped: 'interrupted', stdout: '', stderr: '' }
  const program = spawnProgram(words, options)
  const [stdout, stderr] = [keepOutput(program.stdout), keepOutput(program.stderr)]
  let stopped: ProgramEnd['stopped']
  const stop = (why: ProgramEnd['stopped']) => {
    stopped ??= why
    program.stop()
  }
  const timeLimit = setTimeout(() => stop('timed-out'), timeoutMilliseconds)
  const interrupt = () => stop('interrupted')
  signal.addEventListener('abort', interrupt, { once: true })
  const exit = await program.ended
  clearTimeout(timeLimit)
  signal.removeEventListener('abort', interrupt)
  return {
    ...exit,
    ...(stopped && { stopped }),
    stdout: stdout.take(),
    stderr: stderr.take(),
  }
}

/**
 * Splits a command line into words at white space outside single and double quotes. A backslash
 * escapes the next character; within double quotes it escapes only a quote or a backslash.
 * Nothing is expanded. Undefined if a quote is not closed.
 */
export function splitCommand(command: string): string[] | undefined {
  const words: string[] = []
  let word: string | undefined
  let quote = ''
  for (let index = 0; index < command.length; index++) {
    const character = command.charAt(index)
    const next = command.charAt(index + 1)
    if (
      character === '\\' &&
      next !== '' &&
      (quote === '' || (quote === '"' && /["\\]/.test(next)))
    ) {
      word = `${word ?? ''}${next}`
      index++
    } else if (quote !== '') {
      if (character === quote) quote = ''
      else word += character
    } else if (character === '"' || character === "'") {
      quote = character
      word ??= ''
    } else if (/\s/.test(character)) {
      if (word !== undefined) words.push(word)
      word = undefined
    } else {
      word = `${word ?? ''}${character}`
    }
  }
  if (quote !== '') return undefined
  return word === undefined ? words : [...words, word]
}

/** A program that runs during the plan. */
export interface StartedProgram {
  /** Its output since the last call. */
  takeOutput(): string
  /**
   * Why it may not respond: it has ended, or nothing shows that it is ready. Undefined otherwise.
   * Contains the output that was not taken before.
   */
  describeState(): Promise<string | undefined>
  /** Stops it with all its child processes, by force if it does not end by itself. */
  stop(): Promise<void>
}

export interface StartProgramOptions {
  /** Added to its environment. */
  readonly environment: Readonly<Record<string, string>>
  readonly signal: AbortSignal
}

const betweenQuestions = 50
const longestHint = 2000
/** For a program that fails while it starts: the first checks may be faster. */
const endingMilliseconds = 1000
const withoutReady =
  'The start command has no ready address: add start.ready, and the kit waits until it responds.'

/**
 * Starts a target's program and waits until its `ready` address returns a 2xx.
 * @throws TestbedError `not_started` with the end of its output, or if another program is there
 */
export async function startProgram(
  { command, folder, environment, ready, timeoutSeconds = 30 }: StartCommand,
  options: StartProgramOptions,
): Promise<StartedProgram> {
  if (ready !== undefined && isSuccess(await statusAt(ready, options.signal))) {
    throw targetStartedBefore(ready)
  }
  const program = spawnProgram(splitCommand(command) ?? [], {
    folder,
    environment: { ...options.environment, ...environment },
  })
  const output = keepOutput(program.stdout, program.stderr)
  const describeState = async () => {
    const exit = await Promise.race([program.ended, wait(endingMilliseconds)])
    if (exit === undefined) return ready === undefined ? withoutReady : undefined
    const said = output.take().trim().slice(-longestHint)
    const itsOutput = said === '' ? '' : ` Its output: ${said}`
    return `The target's start command has ended (${describeExit(exit)}).${itsOutput}`
  }
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
      .then((answer) => answer && `${answer} at ${ready} within ${timeoutSeconds} seconds`),
  ])
  waiting.abort()
  if (problem === undefined) return { takeOutput: output.take, describeState, stop }
  await stop()
  throw targetNotStarted(problem, command, output.take().trim().slice(-longestHint))
}

const describeExit = ({ exitCode, killedBy, notStarted }: ProgramExit) =>
  notStarted ?? (killedBy ? `by ${killedBy}` : `exit code ${exitCode}`)

const isSuccess = (status: number | undefined) =>
  status !== undefined && status >= 200 && status < 300

async function statusAt(ready: string, signal: AbortSignal): Promise<number | undefined> {
  const response = await fetch(ready, { signal, redirect: 'manual' }).catch(() => undefined)
  await response?.body?.cancel()
  return response?.status
}

/** Resolves with what it did instead of becoming ready, or with undefined. */
async function untilReady(
  ready: string | undefined,
  signal: AbortSignal,
): Promise<string | undefined> {
  if (ready === undefined) return undefined
  let last: number | undefined
  while (!signal.aborted) {
    const status = await statusAt(ready, signal)
    if (isSuccess(status)) return undefined
    last = status ?? last
    await wait(betweenQuestions, undefined, { signal }).catch(() => {})
  }
  return last === undefined ? 'did not respond' : `returned HTTP ${last}, not a 2xx,`
}
