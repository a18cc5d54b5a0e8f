import { isKitFault, type Results } from '#scenarios/harness/z-results.ts'
import { summarizeDialect } from './dialect/summarize-dialect.ts'
import type { OpenPlan } from './plan.ts'
import type { CheckRun } from './run-plan.ts'

export interface PlanResultsOptions {
  readonly runs: readonly CheckRun[]
  readonly startedAt: Date
  readonly durationMilliseconds: number
  readonly interrupted: boolean
  readonly strict: boolean
  readonly kitVersion: string
  /** Of the kit's source. */
  readonly commit?: string | undefined
  readonly pattern?: string | undefined
}

/** The results of a plan, in the form that all reports are made of. */
export function createPlanResults(
  { plan, target }: Pick<OpenPlan, 'plan' | 'target'>,
  options: PlanResultsOptions,
): Results {
  const { runs, startedAt, durationMilliseconds, interrupted, strict, kitVersion, commit } = options
  const faulty = runs.filter(({ result }) => isKitFault(result))
  return {
    schemaVersion: 1,
    startedAt: startedAt.toISOString(),
    durationMilliseconds,
    interrupted,
    environment: 'pre',
    ...(options.pattern === undefined ? {} : { pattern: options.pattern }),
    warnings: [
      ...tellSilence(runs),
      ...faulty.map(({ check }) => `${check.id}: the kit itself went wrong; please report it.`),
    ],
    conformance: {
      plan,
      target,
      strict,
      kitVersion,
      ...(commit === undefined ? {} : { commit }),
      dialect: summarizeDialect(
        runs.flatMap(({ result }) => result.hops),
        `${plan} under test`,
      ),
    },
    scenarios: runs.map(({ result }) => result),
  }
}

/** The one sentence about all checks that were not tried. */
function tellSilence(runs: readonly CheckRun[]): string[] {
  const untried = runs.filter(({ silence }) => silence !== undefined)
  const [first] = untried
  if (first === undefined) return []
  const which = `${first.check.id} and all after it (${untried.length}) were not tried`
  const advice = 'Is it running, and is it where the target file says?'
  return [`The target answers nothing: ${first.silence} So ${which}. ${advice}`]
}
