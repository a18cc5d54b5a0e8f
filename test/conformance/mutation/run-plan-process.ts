import { fork } from 'node:child_process'
import { join } from 'node:path'
import type { PlanOutcome } from './format-matrix.ts'
import type { PlanRun } from './plan-run.ts'

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
