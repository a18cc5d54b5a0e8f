import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'

/** The version of the package. */
export function readVersion(): string {
  const path = resolve(import.meta.dirname, '../../package.json')
  return (JSON.parse(readFileSync(path, 'utf8')) as { version: string }).version
}
