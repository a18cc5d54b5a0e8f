import type { CheckBase, Finding } from '#conformance/kit/check.ts'
import type { LoadedCheck } from '#conformance/kit/load-checks.ts'
import type { LoadedMutant } from '#conformance/kit/mutant.ts'
import type { OpenPlan } from '#conformance/kit/plan.ts'
import type { CheckRun } from '#conformance/kit/run-plan.ts'
import type { MutantSwitch } from './install-mutants.ts'

/** The outcome of one check. */
export interface CheckOutcome {
  readonly check: string
  /** `kit-error`: internal error in the kit. */
  readonly kind: Finding['kind'] | 'kit-error'
  readonly reason: string
  readonly milliseconds: number
}

/** The outcome of one mutant. */
export interface MutantOutcome {
  readonly name: string
  readonly deviation: string
  /** By its own check. */
  readonly own: CheckOutcome
  /** Other checks that found it broken; only if all of them were run. */
  readonly tripped: readonly string[]
}

export interface MutationOutcome {
  /** The plan against the correct part. */
  readonly correct: readonly CheckOutcome[]
  readonly mutants: readonly MutantOutcome[]
}

export interface RunMutantsOptions<Context extends CheckBase> {
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
