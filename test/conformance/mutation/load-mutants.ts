import { existsSync } from 'node:fs'
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { PlanName } from '#scenarios/conformance/define-check.ts'
import type { LoadedMutant, Mutant } from './mutant.ts'

const mutantsFolder = join(import.meta.dirname, '..', 'mutants')

/**
 * The mutants of a plan in the order of their checks: every file below `mutants/PLAN`, named by its
 * check's id and its deviation, exports one as `mutant`.
 * @throws TypeError where a file holds none, or one without any deviation
 */
export async function loadMutants(plan: PlanName): Promise<LoadedMutant[]> {
  const folder = join(mutantsFolder, plan)
  if (!existsSync(folder)) return []
  const files = (await readdir(folder)).filter((file) => file.endsWith('.ts'))
  const mutants = await Promise.all(
    files.map(async (file) => {
      const { mutant }: { mutant?: Mutant } = await import(pathToFileURL(join(folder, file)).href)
      const name = file.slice(0, -'.ts'.length)
      if (mutant === undefined || !name.startsWith(`${mutant.check}-`)) {
        throw new TypeError(`${plan}/${file} must export a mutant whose check its name begins with`)
      }
      const { ignoresRules = [], patches = [], ...other } = mutant
      const others = Object.values(other).filter((value) => Array.isArray(value))
      if ([...ignoresRules, ...patches, ...others].length === 0) {
        throw new TypeError(`${plan}/${file} deviates in nothing`)
      }
      return { ...mutant, name, plan }
    }),
  )
  return mutants.sort((one, other) => one.name.localeCompare(other.name, 'en', { numeric: true }))
}
