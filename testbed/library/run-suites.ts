import type { Scenario } from '#scenarios/harness/define-scenario.ts'
import type { Results } from '#scenarios/harness/z-results.ts'
import type { TestbedFile } from '#scenarios/harness/z-testbed-file.ts'

export interface RunSuitesOptions {
  /** Regular expression on `suite/scenario`. Default: all. */
  readonly pattern?: string
  /** `I/N`: the I-th of N parts. */
  readonly shard?: string
  /** Begin no other scenario after the first that failed. */
  readonly bail?: boolean
  /** A running testbed: what its `testbed.json` holds. By default one is started and stopped again. */
  readonly testbed?: TestbedFile
  /** Names and keys of the scenarios follow from it. Default: random. */
  readonly seed?: string
  /** How many scenarios run side by side. Default: 4. */
  readonly parallelism?: number
  /** Scenarios to run in place of the suites that come along. */
  readonly scenarios?: readonly Scenario[]
  /** Gets `index.html`, `junit.xml`, `results.json` and `summary.md`. */
  readonly reportFolder?: string
  /** Interrupts the run; what has run is reported all the same. */
  readonly signal?: AbortSignal
}

/**
 * Runs scenario suites and gives their results; a scenario that failed is a result, not an error.
 * @throws TestbedError `invalid_option` where no scenario fits the pattern
 */
export async function runSuites(options: RunSuitesOptions = {}): Promise<Results> {
  const { testbed, signal, bail, parallelism, ...rest } = options
  const { runSuites: run } = await import('../runs/run-suites.ts')
  const { runOnTestbed } = await import('../runs/run-suites.ts')
  const { results } = await run({
    ...rest,
    async execute(selected) {
      const used = await useTestbed(testbed, selected.seed)
      return runOnTestbed(used, {
        ...selected,
        ...(bail !== undefined && { bail }),
        ...(parallelism !== undefined && { parallelism }),
        ...(signal !== undefined && { signal }),
      })
    },
  })
  return results
}

async function useTestbed(running: TestbedFile | undefined, seed: string) {
  if (running !== undefined) return { file: running, isOwn: false, close: async () => {} }
  const { startTestbed } = await import('./start-testbed.ts')
  return { ...(await startTestbed({ seed })), isOwn: true }
}
