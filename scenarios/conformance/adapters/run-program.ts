import { type ChildProcess, spawn } from 'node:child_process'

export interface RunProgramOptions {
  readonly folder?: string | undefined
  /** All of its environment. */
  readonly environment: Readonly<Record<string, string>>
  readonly timeoutMilliseconds: number
  readonly signal: AbortSignal
}

/** How a program ended. */
export interface ProgramEnd {
  /** `exited` by itself; `killed` by somebody's signal; `timed-out`; `interrupted`; or not `started`. */
  readonly kind: 'exited' | 'killed' | 'timed-out' | 'interrupted' | 'not-started'
  /** Where it exited. */
  readonly exitCode: number | undefined
  readonly stdout: string
  readonly stderr: string
  /** Why it did not start, or which signal killed it. */
  readonly detail: string
}

const longestOutput = 1024 * 1024
const graceMilliseconds = 2000

/**
 * Runs a program without a shell and with nothing to read, in a process group of its own that is
 * ended with it: at the time limit, at an interrupt, and for what it left running. Of its output the
 * first MiB of each kind is kept.
 */
export async function runProgram(
  [program = '', ...args]: readonly string[],
  { folder, environment, timeoutMilliseconds, signal }: RunProgramOptions,
): Promise<ProgramEnd> {
  const notRun = { exitCode: undefined, stdout: '', stderr: '' }
  if (signal.aborted) return { ...notRun, kind: 'interrupted', detail: '' }
  let child: ChildProcess
  try {
    child = spawn(program, args, {
      ...(folder === undefined ? {} : { cwd: folder }),
      env: environment,
      stdio: ['ignore', 'pipe', 'pipe'],
      detached: true,
    })
  } catch (error) {
    return { ...notRun, kind: 'not-started', detail: messageOf(error) }
  }
  const output = { stdout: keepOutput(child.stdout), stderr: keepOutput(child.stderr) }
  const timeLimit = AbortSignal.timeout(timeoutMilliseconds)
  const stop = AbortSignal.any([signal, timeLimit])
  const endGroup = () => endProcessGroup(child)
  stop.addEventListener('abort', endGroup, { once: true })
  try {
    const { code, killedBy } = await exitOf(child)
    const detail = killedBy ?? ''
    const told = { stdout: output.stdout(), stderr: output.stderr(), detail }
    if (signal.aborted) return { ...told, kind: 'interrupted', exitCode: undefined }
    if (timeLimit.aborted) return { ...told, kind: 'timed-out', exitCode: undefined }
    if (code === null) return { ...told, kind: 'killed', exitCode: undefined }
    return { ...told, kind: 'exited', exitCode: code }
  } catch (error) {
    return { ...notRun, kind: 'not-started', detail: messageOf(error) }
  } finally {
    stop.removeEventListener('abort', endGroup)
  }
}

const messageOf = (error: unknown) => (error instanceof Error ? error.message : String(error))

/**
 * Resolves once it has exited and its output is read to the end. What it left running may hold the
 * output open without end, and is ended.
 */
async function exitOf(child: ChildProcess): Promise<{ code: number | null; killedBy?: string }> {
  const { promise, resolve, reject } = Promise.withResolvers<{
    code: number | null
    killedBy?: string
  }>()
  child.once('error', reject)
  child.once('exit', () => signalGroup(child, 'SIGKILL'))
  child.once('close', (code, killedBy) => resolve({ code, ...(killedBy && { killedBy }) }))
  return await promise
}

/** Asks a program and all that it started to end, and ends them where they do not. */
export function endProcessGroup(child: ChildProcess): void {
  signalGroup(child, 'SIGTERM')
  const insist = setTimeout(() => signalGroup(child, 'SIGKILL'), graceMilliseconds)
  child.once('close', () => clearTimeout(insist))
}

function signalGroup({ pid }: ChildProcess, signal: NodeJS.Signals): void {
  if (pid === undefined) return
  try {
    process.kill(-pid, signal)
  } catch {
    // It is gone already, as is all that it started.
  }
}

/** Reads everything, so that the program never waits, and keeps the beginning. */
export function keepOutput(stream: ChildProcess['stdout']): () => string {
  const chunks: Buffer[] = []
  let length = 0
  stream?.on('data', (chunk: Buffer) => {
    const room = longestOutput - length
    if (room > 0) chunks.push(chunk.subarray(0, room))
    length += chunk.length
  })
  return () => {
    const text = Buffer.concat(chunks).toString('utf8')
    const more = length - longestOutput
    return more > 0 ? `${text}\n… and ${more} bytes more` : text
  }
}
