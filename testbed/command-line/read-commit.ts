import { execFileSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { resolve } from 'node:path'

/** The commit of the repository that this runs from; undefined in a package, or without git. */
export function readCommit(): string | undefined {
  const cwd = resolve(import.meta.dirname, '../..')
  if (!existsSync(resolve(cwd, '.git'))) return undefined
  try {
    const options = { cwd, encoding: 'utf8', stdio: 'pipe', timeout: 5000 } as const
    return execFileSync('git', ['rev-parse', 'HEAD'], options).trim()
  } catch {
    return undefined
  }
}
