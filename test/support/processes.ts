import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { Readable } from 'node:stream'
import { text } from 'node:stream/consumers'

export interface CommandOutcome {
  readonly exitCode: number | null
  readonly stdout: string
  readonly stderr: string
}

/** If the tests run in GitHub Actions, the programs that they start must not write to it. */
const notInGithub = { GITHUB_ACTIONS: '', GITHUB_STEP_SUMMARY: '' }

export interface RunCommandOptions {
  readonly cwd: string
  readonly input?: Uint8Array
  /** Added to the environment. */
  readonly env?: Readonly<Record<string, string>>
}

let lastCommand: Promise<unknown> = Promise.resolve()

/**
 * Runs the command line in this process, with a separate working folder, environment and streams;
 * `input` is its stdin. Commands run one after the other, because they share all of these.
 */
export function runCommand(
  args: readonly string[],
  options: RunCommandOptions,
): Promise<CommandOutcome> {
  const outcome = lastCommand.then(() => runOneCommand(args, options))
  lastCommand = outcome.catch(() => {})
  return outcome
}

async function runOneCommand(
  args: readonly string[],
  { cwd, input, env }: RunCommandOptions,
): Promise<CommandOutcome> {
  const { runCommandLine } = await import('#testbed/command-line/run-command-line.ts')
  const written = { stdout: '', stderr: '' }
  const restore: (() => void)[] = []
  const replace = (target: object, name: string, value: unknown) => {
    const before = Object.getOwnPropertyDescriptor(target, name)
    Object.defineProperty(target, name, { value, configurable: true, writable: true })
    restore.push(() => {
      if (before) Object.defineProperty(target, name, before)
      else Reflect.deleteProperty(target, name)
    })
  }
  for (const stream of ['stdout', 'stderr'] as const) {
    replace(process[stream], 'write', (chunk: string | Uint8Array) => {
      written[stream] += typeof chunk === 'string' ? chunk : Buffer.from(chunk).toString()
      return true
    })
  }
  replace(
    process,
    'stdin',
    Readable.from(input === undefined ? [] : [input], { objectMode: false }),
  )
  replace(process, 'env', { ...process.env, ...notInGithub, ...env })
  const folder = process.cwd()
  restore.push(() => process.chdir(folder))
  const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const
  const before = signals.map((signal) => process.listeners(signal))
  try {
    process.chdir(cwd)
    process.exitCode = undefined
    const exitCode = await runCommandLine(args)
    return { exitCode, ...written }
  } finally {
    process.exitCode = undefined
    signals.forEach((signal, at) => {
      for (const listener of process.listeners(signal)) {
        if (!before[at]?.includes(listener)) process.off(signal, listener)
      }
    })
    for (const undo of restore.toReversed()) undo()
  }
}

const program = resolve(import.meta.dirname, '../../bin/testbed')

/** Runs `bin/testbed` as a user does, in its own process. */
export function runTestbed(args: readonly string[], env: Readonly<Record<string, string>> = {}) {
  return runNode([program, ...args], env)
}

/** Runs a file with the Node of this test and returns its output. */
export async function runNode(
  args: readonly string[],
  env: Readonly<Record<string, string>> = {},
): Promise<CommandOutcome> {
  const child = spawn(process.execPath, args, {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...process.env, ...env },
  })
  const [stdout, stderr, [exitCode]] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    once(child, 'close'),
  ])
  return { exitCode, stdout, stderr }
}

/** Returns the ids of the child processes, as Linux reports them. */
export function listChildren(pid: number | undefined): number[] {
  const text = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim()
  return text === '' ? [] : text.split(' ').map(Number)
}

/** Returns whether a process exists; a zombie process does not count. */
export function isAlive(pid: number): boolean {
  try {
    const state = execFileSync('ps', ['-o', 'stat=', '-p', String(pid)], { encoding: 'utf8' })
    return !state.startsWith('Z')
  } catch {
    return false
  }
}

export interface RunningProcess {
  readonly pid: number
  readonly command: string
}

/** All descendants of a process, as reported by the system. */
export function descendantsOf(pid: number): readonly RunningProcess[] {
  const rows = execFileSync('ps', ['-eo', 'pid=,ppid=,args='], { encoding: 'utf8' })
    .trim()
    .split('\n')
    .map((row) => row.trim().match(/^(\d+)\s+(\d+)\s+(.*)$/))
    .filter((match) => match !== null)
    .map(([, own, parent, command = '']) => ({
      pid: Number(own),
      parent: Number(parent),
      command,
    }))
  const below = (parent: number): RunningProcess[] =>
    rows
      .filter((row) => row.parent === parent)
      .flatMap(({ pid: own, command }) => [{ pid: own, command }, ...below(own)])
  return below(pid)
}

/** The processes that still exist. */
export const alive = (processes: readonly RunningProcess[]): readonly RunningProcess[] =>
  processes.filter(({ pid }) => isAlive(pid))

/** Whether {@link limitFileSize} works here: `prlimit` comes with every Linux distribution. */
export function canLimitFileSize(): boolean {
  try {
    execFileSync('prlimit', ['--version'], { stdio: 'ignore' })
    return true
  } catch {
    return false
  }
}

/** Limits the file size of a running process to this many bytes, like a full disk, until `unlimited`. */
export function limitFileSize(pid: number | undefined, bytes: number | 'unlimited'): void {
  // The hard limit stays, so that an ordinary user can raise it again.
  execFileSync('prlimit', ['--pid', String(pid), `--fsize=${bytes}:`])
}
