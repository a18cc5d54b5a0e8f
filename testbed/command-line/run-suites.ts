import { randomBytes } from 'node:crypto'
import { TestbedError } from '#core/errors/testbed-error.ts'
import type { Scenario } from '#scenarios/harness/define-scenario.ts'
import { launchBrowser } from '#scenarios/harness/launch-browser.ts'
import { loadScenarios } from '#scenarios/harness/load-scenarios.ts'
import { type Progress, runScenarios } from '#scenarios/harness/run-scenarios.ts'
import { type ScenarioRun, selectScenarios } from '#scenarios/harness/select-scenarios.ts'
import type { Results } from '#scenarios/harness/z-results.ts'
import type { TestbedFile } from '#scenarios/harness/z-testbed-file.ts'
import { writeReports } from '#scenarios/reports/write-reports.ts'

/** A testbed to run against, and how to leave it. */
export interface UsedTestbed {
  readonly file: TestbedFile
  /** Whether it was started for this run; another one is left as it is, as far as that goes. */
  readonly isOwn: boolean
  /** Options of `testbed run` that give the same testbed again. */
  readonly options: readonly string[]
  close(): Promise<void>
}

export interface RunSuitesOptions {
  readonly pattern?: string | undefined
  readonly shard?: string | undefined
  readonly bail?: boolean
  /** By default all of `scenarios/suites`. */
  readonly scenarios?: readonly Scenario[] | undefined
  /** Names and keys of the scenarios follow from it; by default random. */
  readonly seed?: string | undefined
  readonly parallelism?: number | undefined
  /** Folder for the reports; none are written without. */
  readonly reportFolder?: string
  /** An earlier run; the reports tell what changed since. */
  readonly earlier?: Results | undefined
  readonly executablePath?: string | undefined
  readonly signal: AbortSignal
  /** Called once it is clear what runs: finds a testbed or starts one, with that seed. */
  readonly useTestbed: (seed: string) => Promise<UsedTestbed>
  readonly onSelected?: (runs: readonly ScenarioRun[]) => void
  readonly onProgress?: (progress: Progress) => void
}

export interface SuitesRun {
  readonly results: Results
  /** Paths of the written reports. */
  readonly reports: readonly string[]
}

/**
 * Selects scenarios, runs them against a testbed, leaves the testbed and writes the reports, also
 * of a run that was interrupted.
 * @throws TestbedError `invalid_option` where nothing fits the pattern
 */
export async function runSuites(options: RunSuitesOptions): Promise<SuitesRun> {
  const {
    pattern,
    shard,
    bail = false,
    signal,
    executablePath,
    reportFolder,
    earlier,
    parallelism,
  } = options
  const seed = options.seed ?? randomBytes(5).toString('hex')
  const scenarios = options.scenarios ?? (await loadScenarios())
  const runs = selectScenarios(scenarios, { pattern, shard })
  if (runs.length === 0 && shard === undefined) {
    throw new TestbedError({
      code: 'invalid_option',
      status: 400,
      message: `No scenario fits ${pattern}.`,
      hints: ['`testbed list` shows what there is.'],
    })
  }
  options.onSelected?.(runs)
  const testbed = await options.useTestbed(seed)
  try {
    const results = await runScenarios({
      runs,
      testbed: testbed.file,
      launchBrowser: () => launchBrowser({ executablePath }),
      bail,
      signal,
      seed,
      isOwnTestbed: testbed.isOwn,
      // On a testbed that has seen these names before they would meet what they left there.
      repeatOptions: [
        ...testbed.options,
        ...(testbed.isOwn || options.seed !== undefined ? ['--seed', seed] : []),
      ],
      ...(parallelism === undefined ? {} : { parallelism }),
      ...(options.onProgress ? { onProgress: options.onProgress } : {}),
      selection: {
        ...(pattern === undefined ? {} : { pattern }),
        ...(shard === undefined ? {} : { shard }),
      },
    })
    const reports =
      reportFolder === undefined
        ? []
        : await writeReports(reportFolder, results, { earlier, workingFolder: process.cwd() })
    return { results, reports }
  } finally {
    await testbed.close()
  }
}
