import { spawn } from 'node:child_process'
import { createInterface } from 'node:readline'

export interface RunningProgram {
  /** What it printed first, which is its address. */
  readonly firstLine: string
  stop(): Promise<void>
}

/** Starts a Node program and waits for its first line. */
export async function startProgram(file: string, args: readonly string[]): Promise<RunningProgram> {
  const child = spawn(process.execPath, [file, ...args], { stdio: ['ignore', 'pipe', 'inherit'] })
  const ended = new Promise<void>((resolve) => child.once('close', () => resolve()))
  const stop = async () => {
    child.kill()
    await ended
  }
  for await (const firstLine of createInterface(child.stdout)) return { firstLine, stop }
  throw new Error(`${file} ended before it printed a line`)
}
