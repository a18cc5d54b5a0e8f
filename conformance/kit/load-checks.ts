import { readdir } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { readPattern, suggestNames } from '#scenarios/harness/command-line.ts'
import type { Check, CheckBase, PlanName } from './check.ts'
import { noCheckFits } from './errors.ts'

/** A check and its source file. */
export interface LoadedCheck<Context extends CheckBase = CheckBase> extends Check<Context> {
  /** `V05-bad-vp-signature`: its key in the table, which begins with its id. */
  readonly name: string
  /** Its source, relative to the repository. */
  readonly file: string
}

const plansFolder = join(import.meta.dirname, '../plans')

/**
 * The checks of a plan in the order of their ids. Each file below `plans/PLAN/checks` is a chapter:
 * it exports the table `checks`.
 * @throws TypeError if a file exports no checks, or an id is used twice
 */
export async function loadChecks<Context extends CheckBase>(
  plan: PlanName,
): Promise<LoadedCheck<Context>[]> {
  const folder = join(plansFolder, plan, 'checks')
  const files = (await readdir(folder)).filter(
    (file) => /\.[jt]s$/.test(file) && !file.endsWith('.d.ts'),
  )
  const loaded = await Promise.all(
    files.map(async (fileName) => {
      const { checks = {} }: { checks?: Record<string, Check<Context>> } = await import(
        pathToFileURL(join(folder, fileName)).href
      )
      const file = `conformance/plans/${plan}/checks/${basename(fileName).replace(/\.[jt]s$/, '.ts')}`
      if (Object.keys(checks).length === 0) throw new TypeError(`${file} exports no checks`)
      return Object.entries(checks).map(([name, check]) => ({ ...check, name, file }))
    }),
  )
  const checks = loaded.flat()
  checks.sort((one, other) => one.name.localeCompare(other.name, 'en', { numeric: true }))
  const twice = checks.find(({ id }, index) => checks[index + 1]?.id === id)
  if (twice) throw new TypeError(`${plan}: there are two checks ${twice.id}`)
  return checks
}

/**
 * The checks whose id or name matches a regular expression; all of them without one.
 * @throws TestbedError `invalid_option` if the expression is invalid or matches no check
 */
export function selectChecks<Check extends { readonly id: string; readonly name: string }>(
  checks: readonly Check[],
  pattern = '',
): Check[] {
  const expression = readPattern(pattern)
  const selected = checks.filter(({ id, name }) => expression.test(id) || expression.test(name))
  if (selected.length > 0) return selected
  const names = checks.flatMap(({ id, name }) => [id, name])
  throw noCheckFits(pattern, suggestNames(pattern, names))
}
