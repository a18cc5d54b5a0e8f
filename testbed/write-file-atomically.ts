import { closeSync, fsyncSync, mkdirSync, openSync, renameSync, rmSync, writeSync } from 'node:fs'
import { dirname } from 'node:path'

/**
 * Writes a file that only its owner can read: a temporary file beside it, then a rename, so that
 * nobody ever finds half of it.
 */
export function writeFileAtomically(path: string, text: string): void {
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 })
  const temporary = `${path}.${process.pid}.tmp`
  const file = openSync(temporary, 'w', 0o600)
  try {
    writeSync(file, text)
    fsyncSync(file)
  } catch (cause) {
    rmSync(temporary, { force: true })
    throw cause
  } finally {
    closeSync(file)
  }
  renameSync(temporary, path)
}
