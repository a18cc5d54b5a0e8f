import { readdir } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { CheckBase } from './check-base.ts'
import type { Check, PlanName } from './define-check.ts'

/** A check and where it stands. */
export interface LoadedCheck<Context extends CheckBase = CheckBase> extends Check<Context> {
  /** `V05-bad-vp-signature`: its file's name, which begins with its id. */
  readonly name: string
  /** Its source, relative to the repository. */
  readonly file: string
}

const plansFolder = join(import.meta.dirname, '../plans')

/**
 * The checks of a plan in the order of their ids: every file below `plans/PLAN/checks`, named by its
 * id and what it is about, exports one as `check`.
 * @throws TypeError where a file holds none, or an id is there twice
 */
export async function loadChecks<Context extends CheckBase>(
  plan: PlanName,
): Promise<LoadedCheck<Context>[]> {
  const folder = join(plansFolder, plan, 'checks')
  const files = (await readdir(folder)).filter(
    (file) => /\.[jt]s$/.test(file) && !file.endsWith('.d.ts'),
  )
  const checks = await Promise.all(
    files.map(async (file) => {
      const module = await import(pathToFileURL(join(folder, file)).href)
      const name = basename(file).replace(/\.[jt]s$/, '')
      const check = module.check as Check<Context> | undefined
      if (check === undefined || !name.startsWith(`${check.id}-`)) {
        throw new TypeError(`${plan}/${file} must export a check whose id its name begins with`)
      }
      return { ...check, name, file: `conformance/plans/${plan}/checks/${name}.ts` }
    }),
  )
  checks.sort((one, other) => one.name.localeCompare(other.name, 'en', { numeric: true }))
  const twice = checks.find(({ id }, index) => checks[index + 1]?.id === id)
  if (twice) throw new TypeError(`${plan}: there are two checks ${twice.id}`)
  return checks
}
