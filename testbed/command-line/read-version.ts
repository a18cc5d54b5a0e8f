import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { resolve } from 'node:path'

/** The version of the package. */
export function readVersion(): string {
  const path = resolve(import.meta.dirname, '../../package.json')
  return (JSON.parse(readFileSync(path, 'utf8')) as { version: string }).version
}

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
