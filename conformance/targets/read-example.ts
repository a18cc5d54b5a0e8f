import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { PlanName } from '../kit/check.ts'

/** A commented target file of a plan to begin with, as YAML. */
export const readExample = (plan: PlanName): Promise<string> =>
  readFile(join(import.meta.dirname, 'examples', `${plan}.yaml`), 'utf8')
