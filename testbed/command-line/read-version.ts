import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { resolve } from 'node:path'

interface Manifest {
  readonly version: string
  /** The commit from which the package was built, under npm's name for it. */
  readonly gitHead?: string
}

function readManifest(): Manifest {
  return JSON.parse(readFileSync(resolve(import.meta.dirname, '../../package.json'), 'utf8'))
}

/** The version of the package. */
export const readVersion = (): string => readManifest().version

/** The commit of the repository that this runs from or was built from; undefined without git. */
export function readCommit(): string | undefined {
  const { gitHead } = readManifest()
  const cwd = resolve(import.meta.dirname, '../..')
  if (gitHead !== undefined || !existsSync(resolve(cwd, '.git'))) return gitHead
  try {
    const options = { cwd, encoding: 'utf8', stdio: 'pipe', timeout: 5000 } as const
    return execFileSync('git', ['rev-parse', 'HEAD'], options).trim()
  } catch {
    return undefined
  }
}
