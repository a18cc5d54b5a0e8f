import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import type { Finding } from './check.ts'

const limitMilliseconds = 3000

/** Whether a Docker engine answers. Only the container tests want one. */
export async function checkDocker(): Promise<Finding> {
  const name = 'Docker'
  try {
    const command = ['version', '--format', '{{.Server.Version}}']
    const { stdout } = await promisify(execFile)('docker', command, { timeout: limitMilliseconds })
    return { name, verdict: 'ok', found: stdout.trim() }
  } catch {
    return {
      name,
      verdict: 'optional',
      found: 'no engine answers',
      advice: 'Only docker compose and its tests need one.',
    }
  }
}
