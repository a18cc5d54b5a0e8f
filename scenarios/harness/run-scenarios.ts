import { openScenarioSession, type ScenarioSessionOptions } from './open-scenario-session.ts'
import type { ScenarioRun } from './select-scenarios.ts'
import type { Results, ScenarioResult } from './z-results.ts'

/** What happens while scenarios run, for whoever shows it. */
export type Progress =
  | { readonly kind: 'began'; readonly id: string }
  | { readonly kind: 'step'; readonly id: string; readonly title: string }
  | { readonly kind: 'ended'; readonly result: Omit<ScenarioResult, 'hops'> }

export interface RunScenariosOptions extends ScenarioSessionOptions {
  readonly runs: readonly ScenarioRun[]
  /** How many run side by side, those apart that have to run alone. */
  readonly parallelism?: number
  /** Begin none after the first that failed. */
  readonly bail?: boolean
  readonly onProgress?: (progress: Progress) => void
}

/**
 * Runs scenarios against a running testbed: those that may side by side, then the exclusive ones
 * one by one. After each of these the clock is real again and nothing is broken. Where it is
 * interrupted, those under way are cut off, the others are not run, and the results still come.
 */
export async function runScenarios(options: RunScenariosOptions): Promise<Results> {
  const { runs, signal, parallelism = 4, bail = false, onProgress = () => {} } = options
  const session = openScenarioSession(options)
  let failed = false

  async function runEach(queue: ScenarioRun[], run: typeof session.run): Promise<void> {
    for (let each = queue.shift(); each !== undefined; each = queue.shift()) {
      if (signal?.aborted || (bail && failed)) return
      const { id } = each
      onProgress({ kind: 'began', id })
      const result = await run(each, (title) => onProgress({ kind: 'step', id, title }))
      if (result.verdict === 'failed') failed = true
      onProgress({ kind: 'ended', result })
    }
  }

  const [exclusive, parallel] = [true, false].map((alone) =>
    runs.filter(({ scenario }) => (scenario.exclusive ?? false) === alone),
  ) as [ScenarioRun[], ScenarioRun[]]
  await Promise.all(Array.from({ length: parallelism }, () => runEach(parallel, session.run)))
  await runEach(exclusive, session.runAlone)
  return session.close(runs)
}
