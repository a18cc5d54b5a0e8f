import { existsSync, mkdirSync } from 'node:fs'
import { dirname } from 'node:path'
import { TestbedError } from '#core/errors/testbed-error.ts'
import { restrictAccess } from '#kit/files.ts'

function create(folder: string): void {
  if (existsSync(folder)) return
  const parent = dirname(folder)
  if (parent !== folder) create(parent)
  // One at a time: where the system denies what is asked for (`/proc`), `recursive` tries for ever.
  mkdirSync(folder, { mode: 0o700 })
}

/**
 * Makes a folder for its owner alone, also one that exists already, with those above it.
 * @throws TestbedError `data_folder_refused`
 */
export function createFolder(folder: string): void {
  try {
    create(folder)
    restrictAccess(folder, 0o700)
  } catch (cause) {
    const { code } = cause as NodeJS.ErrnoException
    // Somebody else was quicker.
    if (code === 'EEXIST' && existsSync(folder)) return
    throw new TestbedError({
      code: 'data_folder_refused',
      status: 500,
      message: `The data folder ${folder} cannot be made (${code}).`,
      hints: ['Give a folder that can be written to with --data DIR.'],
      cause,
    })
  }
}
