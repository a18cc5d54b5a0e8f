import { accessSync, constants, existsSync } from 'node:fs'
import { dirname } from 'node:path'
import type { Finding } from './check.ts'

/** Whether the data folder can be written, or made. */
export function checkDataFolder(folder: string): Finding {
  const name = 'data folder'
  let nearest = folder
  while (!existsSync(nearest) && dirname(nearest) !== nearest) nearest = dirname(nearest)
  try {
    accessSync(nearest, constants.W_OK)
    const found = nearest === folder ? folder : `${folder} (made at the first start)`
    return { name, verdict: 'ok', found }
  } catch {
    const advice = 'Give another folder with --data DIR.'
    return { name, verdict: 'missing', found: `${nearest} cannot be written`, advice }
  }
}
