import { spawn } from 'node:child_process'
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
