import { type ChildProcess, spawn } from 'node:child_process'

export interface SpawnProgramOptions {
  readonly folder?: string | undefined
  /** All of its environment. */
  readonly environment: Readonly<Record<string, string>>
}

/** A program in a process group of its own, and how it ends. */
export interface SpawnedProgram {
  readonly stdout: ChildProcess['stdout']
  readonly stderr: ChildProcess['stderr']
  /** Resolves once it runs; for one that could not be started, never. */
  readonly begun: Promise<void>
  /** Resolves once it has ended and its output is read; never rejects. */
  readonly ended: Promise<ProgramExit>
  /** Asks it and all that it started to end, and ends them by force where they do not. */
  stop(): void
}

/** One of the three: it exited by itself, a signal ended it, or it could not be started. */
export interface ProgramExit {
  readonly exitCode?: number
  readonly killedBy?: NodeJS.Signals
  readonly notStarted?: string
}

const graceMilliseconds = 2000
/** For output that is still on its way; what holds it open longer is no part of the program. */
const lastOutputMilliseconds = 500

/**
 * Starts a program without a shell and with nothing to read. What it leaves running in its group
 * ends with it, and it ends with this process.
 */
export function spawnProgram(
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
      // They are gone already.
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
  child.once('close', (code, signal) =>
    settle(code === null ? { killedBy: signal ?? 'SIGKILL' } : { exitCode: code }),
  )
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
