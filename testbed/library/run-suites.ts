import { z } from 'zod'
import type { Scenario } from '#scenarios/harness/define-scenario.ts'
import type { Results } from '#scenarios/harness/z-results.ts'
import { type TestbedFile, zTestbedFile } from '#scenarios/harness/z-testbed-file.ts'
import { checkOptions, zScenario } from './check-options.ts'
import { repeatWith } from './repeat-with.ts'

export interface RunSuitesOptions {
  /** Regular expression on `suite/scenario`. Default: all. */
  readonly pattern?: string | undefined
  /** `I/N`: the I-th of N parts. */
  readonly shard?: string | undefined
  /** Stop after the first scenario that fails. */
  readonly bail?: boolean | undefined
  /**
   * A running testbed: the content of its `testbed.json`. By default a testbed is started and
   * stopped again.
   */
  readonly testbed?: TestbedFile | undefined
  /** Seed of the scenarios' names and keys. Default: random. */
  readonly seed?: string | undefined
  /** Number of scenarios that run in parallel. Default: 4. */
  readonly parallelism?: number | undefined
  /** Scenarios to run instead of the included suites. */
  readonly scenarios?: readonly Scenario[] | undefined
  /** Folder for `index.html`, `junit.xml`, `results.json` and `summary.md`. */
  readonly reportFolder?: string | undefined
  /** Interrupts the run; the scenarios that ran are still reported. */
  readonly signal?: AbortSignal | undefined
}

const zOptions = z
  .strictObject({
    pattern: z.string(),
    shard: z.string(),
    bail: z.boolean(),
    testbed: zTestbedFile,
    seed: z.string(),
    parallelism: z.int().min(1),
    scenarios: z.array(zScenario),
    reportFolder: z.string().min(1),
    signal: z.instanceof(AbortSignal),
  } satisfies { [Name in keyof Required<RunSuitesOptions>]: z.ZodType })
  .partial()

/**
 * Runs scenario suites and returns their results; a scenario that failed is a result, not an error.
 * @throws TestbedError `invalid_option`, also if no scenario matches the pattern
 */
export async function runSuites(options: RunSuitesOptions = {}): Promise<Results> {
  await checkOptions(zOptions, options, 'runSuites')
  const { testbed, signal, bail, parallelism, ...rest } = options
  const { runOnTestbed, runAndReport } = await import('#testbed/runs/run-and-report.ts')
  const { results } = await runAndReport({
    ...rest,
    async execute(selected) {
      const { seed } = selected
      const used = await useTestbed(testbed, seed)
      const results = await runOnTestbed(used, {
        ...selected,
        ...(bail !== undefined && { bail }),
        ...(parallelism !== undefined && { parallelism }),
        ...(signal !== undefined && { signal }),
      })
      if (rest.scenarios === undefined) return results
      return repeatWith(
        results,
        (id) => `runSuites({ scenarios, pattern: '^${id}$', seed: '${seed}' })`,
      )
    },
  })
  return results
}

async function useTestbed(running: TestbedFile | undefined, seed: string) {
  if (running !== undefined) return { file: running, isOwn: false, close: async () => {} }
  const { startTestbed } = await import('./start-testbed.ts')
  return { ...(await startTestbed({ seed })), isOwn: true }
}
