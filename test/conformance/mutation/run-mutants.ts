import type { CheckBase, Finding, PlanName } from '#conformance/kit/check.ts'
import type { LoadedCheck } from '#conformance/kit/load-checks.ts'
import type { LoadedMutant } from '#conformance/kit/mutant.ts'
import type { OpenPlan } from '#conformance/kit/plan.ts'
import type { CheckRun } from '#conformance/kit/run-plan.ts'
import type { MutantSwitch } from './install-mutants.ts'

export interface CheckOutcome {
  readonly check: string
  /** `kit-error`: internal error in the kit. */
  readonly kind: Finding['kind'] | 'kit-error'
  readonly reason: string
  readonly milliseconds: number
}

export interface MutantOutcome {
  readonly name: string
  readonly deviation: string
  readonly own: CheckOutcome
  /** Other checks that found it broken; only if all of them were run. */
  readonly tripped: readonly string[]
}

export interface MutationOutcome {
  /** The plan against the correct part. */
  readonly correct: readonly CheckOutcome[]
  readonly mutants: readonly MutantOutcome[]
}

interface RunMutantsOptions<Context extends CheckBase> {
  readonly plan: OpenPlan<Context>
  readonly checks: readonly LoadedCheck<Context>[]
  readonly mutants: readonly LoadedMutant[]
  readonly mutantSwitch: MutantSwitch
  /** Runs checks; implemented by `runPlan`. */
  readonly run: (checks: readonly LoadedCheck<Context>[]) => Promise<readonly CheckRun[]>
  /** Each mutant runs only against its own check. */
  readonly ownOnly: boolean
  readonly onMutant?: (outcome: MutantOutcome) => void
}

/** Runs the plan against the correct part, then against each mutant. */
export async function runMutants<Context extends CheckBase>(
  options: RunMutantsOptions<Context>,
): Promise<MutationOutcome> {
  const { checks, mutants, mutantSwitch, run, ownOnly, onMutant } = options
  const correct = (await run(checks)).map(outcomeOf)
  const outcomes: MutantOutcome[] = []
  for (const mutant of mutants) {
    const own = checks.filter(({ id }) => id === mutant.check)
    mutantSwitch.activate(mutant)
    const runs = (await run(ownOnly ? own : checks)).map(outcomeOf)
    mutantSwitch.activate()
    const outcome: MutantOutcome = {
      name: mutant.name,
      deviation: mutant.deviation,
      own: runs.find(({ check }) => check === mutant.check) ?? {
        check: mutant.check,
        kind: 'inconclusive',
        reason: 'There is no such check.',
        milliseconds: 0,
      },
      tripped: runs
        .filter(({ check, kind }) => check !== mutant.check && kind === 'broken')
        .map(({ check }) => check),
    }
    outcomes.push(outcome)
    onMutant?.(outcome)
  }
  return { correct, mutants: outcomes }
}

function outcomeOf({ check, finding, result }: CheckRun): CheckOutcome {
  return {
    check: check.id,
    kind: finding?.kind ?? 'kit-error',
    reason: finding?.reason ?? result.failure?.stack ?? 'Internal error in the conformance kit.',
    milliseconds: Math.round(result.durationMilliseconds),
  }
}

/** The outcome for a mutant: caught or not, what it does wrong, and what else it tripped. */
export function formatMutant({ name, deviation, own, tripped }: MutantOutcome): string {
  const isCaught = own.kind === 'broken'
  const lines = [`${isCaught ? 'caught  ' : 'SURVIVED'}  ${name}`, `          it ${deviation}`]
  if (!isCaught) lines.push(`          ${own.check} is ${own.kind}: ${own.reason}`)
  if (tripped.length > 0) lines.push(`          tripped as well: ${tripped.join(' ')}`)
  return lines.join('\n')
}

/** A plan's share of the matrix. */
export interface PlanOutcome extends MutationOutcome {
  readonly plan: PlanName
  /** Checks without any mutant. */
  readonly withoutMutant: readonly string[]
}

/** Whether the correct part passes everything, and each check has a mutant that it catches. */
export const isFull = ({ correct, mutants, withoutMutant }: PlanOutcome): boolean =>
  withoutMutant.length === 0 &&
  correct.every(({ kind }) => kind === 'held') &&
  mutants.every(({ own }) => own.kind === 'broken')

const heads = ['plan', 'checks', 'passed', 'mutants', 'caught', 'narrow']

/**
 * One line for each plan and one for all: its checks, those that the correct part passes, its
 * mutants, those that their own check catches, and those among them that trip no other check.
 * @param ownOnly each mutant ran only against its own check, so the results of the others are unknown
 */
export function formatSummary(outcomes: readonly PlanOutcome[], ownOnly: boolean): string {
  const rows = outcomes.map(({ plan, correct, mutants }) => {
    const caught = mutants.filter(({ own }) => own.kind === 'broken')
    const passed = correct.filter(({ kind }) => kind === 'held').length
    const narrow = caught.filter(({ tripped }) => tripped.length === 0).length
    return { plan, counts: [correct.length, passed, mutants.length, caught.length, narrow] }
  })
  const sums = heads.slice(1).map((_, index) => {
    return rows.reduce((sum, { counts }) => sum + (counts[index] ?? 0), 0)
  })
  const all = rows.length > 1 ? [...rows, { plan: 'all', counts: sums }] : rows
  const cells = all.map(({ plan, counts }) => [
    plan,
    ...counts.slice(0, -1).map(String),
    ownOnly ? '-' : String(counts.at(-1)),
  ])
  return [heads, ...cells]
    .map(([first = '', ...others]) => {
      return first.padEnd(12) + others.map((cell) => cell.padStart(9)).join('')
    })
    .join('\n')
}
