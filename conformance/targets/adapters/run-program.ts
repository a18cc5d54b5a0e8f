import { keepOutput } from './keep-output.ts'
import { type ProgramExit, type SpawnProgramOptions, spawnProgram } from './spawn-program.ts'

export interface RunProgramOptions extends SpawnProgramOptions {
  readonly timeoutMilliseconds: number
  readonly signal: AbortSignal
}

/** How a program ended, and what it wrote: the first MiB of each. */
export interface ProgramEnd extends ProgramExit {
  /** Why it was stopped, where it was. */
  readonly stopped?: 'timed-out' | 'interrupted'
  readonly stdout: string
  readonly stderr: string
}

/** Runs a program to its end, its time limit or an interrupt. Never rejects. */
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
