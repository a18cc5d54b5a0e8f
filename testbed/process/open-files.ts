import { closeSync, openSync } from 'node:fs'

/** A testbed with a few clients opens this many in addition to those of its start. */
const spareFiles = 32

/** Whether the limit of this process allows the files and connections that a testbed opens. */
export function canOpenFiles(): boolean {
  const files: number[] = []
  try {
    while (files.length < spareFiles) files.push(openSync(process.execPath, 'r'))
    return true
  } catch (error) {
    return !['EMFILE', 'ENFILE'].includes(String((error as NodeJS.ErrnoException).code))
  } finally {
    files.forEach(closeSync)
  }
}
