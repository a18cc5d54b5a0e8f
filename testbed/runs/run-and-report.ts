import { randomBytes } from 'node:crypto'
import { wrongUsage } from '#scenarios/errors.ts'
import { programCommand, suggestNames } from '#scenarios/harness/command-line.ts'
import type { Scenario } from '#scenarios/harness/define-scenario.ts'
import { launchBrowser } from '#scenarios/harness/launch-browser.ts'
import { type RunScenariosOptions, runScenarios } from '#scenarios/harness/run-scenarios.ts'
import {
  loadScenarios,
  type ScenarioRun,
  selectScenarios,
} from '#scenarios/harness/select-scenarios.ts'
import type { Results } from '#scenarios/harness/z-results.ts'
import type { TestbedFile } from '#scenarios/harness/z-testbed-file.ts'
import { openReportFolder, writeReports } from '#scenarios/reports/write-reports.ts'

/** The selected scenarios and how to run them. */
export interface SelectedRuns {
  readonly runs: readonly ScenarioRun[]
  /** Seed of the scenarios' names and keys. */
  readonly seed: string
  /** The selection as requested, for the results. */
  readonly selection: { readonly pattern?: string; readonly shard?: string }
}

export interface RunAndReportOptions {
  readonly pattern?: string | undefined
  readonly shard?: string | undefined
  /** By default all of `scenarios/suites`. */
  readonly scenarios?: readonly Scenario[] | undefined
  /** By default random. */
  readonly seed?: string | undefined
  /** Folder for the reports; none are written without. */
  readonly reportFolder?: string | undefined
  /** An earlier run; the reports show what changed since. */
  readonly earlier?: Results | undefined
  /**
   * Called with the seed if all suites run, before they are loaded: starts what the run needs then.
   */
  readonly prepare?: ((seed: string) => void) | undefined
  /** Runs the selected scenarios, on a testbed that it finds or starts. */
  readonly execute: (selected: SelectedRuns) => Promise<Results>
}

export interface ReportedRun {
  readonly results: Results
  /** Paths of the written reports. */
  readonly reports: readonly string[]
}

/**
 * Selects scenarios, runs them and writes the reports, also after an interruption.
 * @throws TestbedError `invalid_option` if no scenario matches the pattern, or no reports can be
 *   written
 */
export async function runAndReport(options: RunAndReportOptions): Promise<ReportedRun> {
  const { pattern, shard, reportFolder, earlier } = options
  const seed = options.seed ?? randomBytes(5).toString('hex')
  if (pattern === undefined && shard === undefined) options.prepare?.(seed)
  const scenarios = options.scenarios ?? (await loadScenarios())
  const runs = selectScenarios(scenarios, { pattern, shard })
  // A part may be empty, because there may be more machines than scenarios.
  if (selectScenarios(scenarios, { pattern }).length === 0) {
    const names = scenarios.map(({ id }) => id)
    throw wrongUsage(pattern ? `No scenario matches ${pattern}.` : 'There are no scenarios.', [
      ...suggestNames(pattern ?? '', names),
      `List all scenarios with ${programCommand} list.`,
    ])
  }
  if (reportFolder !== undefined) await openReportFolder(reportFolder)
  const selection = {
    ...(pattern === undefined ? {} : { pattern }),
    ...(shard === undefined ? {} : { shard }),
  }
  const results = await options.execute({ runs, seed, selection })
  const reports =
    reportFolder === undefined
      ? []
      : await writeReports(reportFolder, results, { earlier, workingFolder: process.cwd() })
  return { results, reports }
}

/** A testbed to run against, and how to release it. */
export interface UsedTestbed {
  readonly file: TestbedFile
  /**
   * Whether it was started for this run; the state of any other testbed is restored if possible.
   */
  readonly isOwn: boolean
  /** The testbed, if it runs in this process. */
  readonly readTraces?: RunScenariosOptions['readTraces']
  close(): Promise<void>
}

export interface RunOnTestbedOptions
  extends Omit<RunScenariosOptions, 'testbed' | 'isOwnTestbed' | 'launchBrowser' | 'readTraces'> {
  readonly executablePath?: string | undefined
}

/** Runs scenarios in this process against one testbed, then releases it. */
export async function runOnTestbed(
  { file, isOwn, readTraces, close }: UsedTestbed,
  { executablePath, ...options }: RunOnTestbedOptions,
): Promise<Results> {
  try {
    return await runScenarios({
      ...options,
      testbed: file,
      isOwnTestbed: isOwn,
      ...(readTraces && { readTraces }),
      launchBrowser: () => launchBrowser({ executablePath }),
    })
  } finally {
    await close()
  }
}
