import { spawn } from 'node:child_process'
import { resolve } from 'node:path'
import { text } from 'node:stream/consumers'

export interface CommandOutcome {
  readonly exitCode: number | null
  readonly stdout: string
  readonly stderr: string
}

const main = resolve(import.meta.dirname, '../../testbed/command-line/main.ts')

/** Runs the command line as a person does, in a process of its own; `input` is its stdin. */
export async function runCommand(
  args: readonly string[],
  { cwd, input }: { cwd: string; input?: Uint8Array },
): Promise<CommandOutcome> {
  const child = spawn(process.execPath, [main, ...args], { cwd, stdio: 'pipe' })
  child.stdin.end(input)
  const [stdout, stderr, exitCode] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    new Promise<number | null>((settle) => child.on('close', settle)),
  ])
  return { exitCode, stdout, stderr }
}
