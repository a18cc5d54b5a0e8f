import { fork } from 'node:child_process'
import { join } from 'node:path'
import type { PlanName } from '#conformance/kit/check.ts'
import type { PlanOutcome } from './run-mutants.ts'

/** What a process of one plan is asked for; the one argument that it gets, as JSON. */
export interface PlanRun {
  readonly plan: PlanName
  /** Each mutant runs only against its own check. */
  readonly own: boolean
  /** Regular expression on names of mutants. */
  readonly only?: string | undefined
  /** Whether progress is reported on stderr, as stdout is for data. */
  readonly toStderr: boolean
}

const program = join(import.meta.dirname, 'plan-process.ts')

/**
 * Runs the mutants of one plan in a separate process that writes to the same streams.
 * @throws Error if it ends without an outcome: a mutant whose text no longer exists
 */
export function runPlanProcess(run: PlanRun): Promise<PlanOutcome> {
  return new Promise((resolve, reject) => {
    let outcome: PlanOutcome | undefined
    const child = fork(program, [JSON.stringify(run)], { stdio: 'inherit' })
    child.once('message', (message) => {
      outcome = message as PlanOutcome
    })
    child.once('error', reject)
    child.once('exit', (code) => {
      if (outcome) resolve(outcome)
      else reject(new Error(`The plan ${run.plan} ended with ${code} and without an outcome.`))
    })
  })
}
