import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { text } from 'node:stream/consumers'

export interface CommandOutcome {
  readonly exitCode: number | null
  readonly stdout: string
  readonly stderr: string
}

const main = resolve(import.meta.dirname, '../../testbed/command-line/main.ts')

/** Where the tests themselves run in GitHub Actions, what they run is not to speak to it. */
const notInGithub = { GITHUB_ACTIONS: '', GITHUB_STEP_SUMMARY: '' }

export interface RunCommandOptions {
  readonly cwd: string
  readonly input?: Uint8Array
  /** Added to the environment. */
  readonly env?: Readonly<Record<string, string>>
}

/** Runs the command line as a person does, in a process of its own; `input` is its stdin. */
export async function runCommand(
  args: readonly string[],
  { cwd, input, env }: RunCommandOptions,
): Promise<CommandOutcome> {
  const child = spawn(process.execPath, [main, ...args], {
    cwd,
    stdio: 'pipe',
    env: { ...process.env, ...notInGithub, ...env },
  })
  child.stdin.end(input)
  const [stdout, stderr, exitCode] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    new Promise<number | null>((settle) => child.on('close', settle)),
  ])
  return { exitCode, stdout, stderr }
}

/** Runs a file with the Node of this test and gives what it said. */
export async function runNode(args: readonly string[]) {
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'pipe'] })
  const [stdout, stderr, [code]] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    once(child, 'close'),
  ])
  return { code: code as number | null, stdout, stderr }
}

/** Ids of the processes that a process has started, as Linux tells. */
export function listChildren(pid: number | undefined): number[] {
  const text = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim()
  return text === '' ? [] : text.split(' ').map(Number)
}

/** Whether there is such a process; one that has ended and nobody has asked about is none. */
export function isAlive(pid: number): boolean {
  try {
    return readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').at(-1)?.[0] !== 'Z'
  } catch {
    return false
  }
}

export interface RunningProcess {
  readonly pid: number
  readonly command: string
}

/** The processes that a process has started, and those that these have, by what the system says. */
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

/** Those of them that are still there; one that has ended and is only not yet buried is not. */
export function alive(processes: readonly RunningProcess[]): readonly RunningProcess[] {
  return processes.filter(({ pid }) => {
    try {
      return !/^Z/.test(
        execFileSync('ps', ['-o', 'stat=', '-p', String(pid)], { encoding: 'utf8' }),
      )
    } catch {
      return false
    }
  })
}

/** Whether {@link limitFileSize} works here: `prlimit` comes with every Linux distribution. */
export function canLimitFileSize(): boolean {
  try {
    execFileSync('prlimit', ['--version'], { stdio: 'ignore' })
    return true
  } catch {
    return false
  }
}

/** Lets a running process write no file beyond so many bytes, as a full disk would, until `unlimited`. */
export function limitFileSize(pid: number | undefined, bytes: number | 'unlimited'): void {
  // The hard limit stays, so that an ordinary user can raise it again.
  execFileSync('prlimit', ['--pid', String(pid), `--fsize=${bytes}:`])
}
