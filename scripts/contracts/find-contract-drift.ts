import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { generateContractFiles } from './generate-contract-files.ts'

/** The committed files that are not what the compiler makes of the sources now. */
export function findContractDrift(root: string): readonly string[] {
  return [...generateContractFiles(root)]
    .filter(([path, content]) => {
      const file = join(root, path)
      return !existsSync(file) || readFileSync(file, 'utf8') !== content
    })
    .map(([path]) => path)
}
