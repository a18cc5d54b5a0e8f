import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'

/** A new empty folder that goes away with the running test. */
export function createTemporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'lear-testbed-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}
