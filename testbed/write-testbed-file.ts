import { rmSync } from 'node:fs'
import { join } from 'node:path'
import type { TestbedFile } from '#scenarios/harness/z-testbed-file.ts'
import { writeFileAtomically } from './write-file-atomically.ts'

/**
 * Writes `testbed.json` into the data folder: whole, or not at all, readable by its owner alone.
 * The returned function removes it.
 */
export function writeTestbedFile(folder: string, file: TestbedFile): () => void {
  const path = join(folder, 'testbed.json')
  writeFileAtomically(path, `${JSON.stringify(file, null, 2)}\n`)
  return () => rmSync(path, { force: true })
}
