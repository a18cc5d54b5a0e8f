import { availableParallelism } from 'node:os'
import { resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { type Command, InvalidArgumentError } from 'commander'
import { wrongUsage } from '#scenarios/errors.ts'
import type { Progress, RunScenariosOptions } from '#scenarios/harness/run-scenarios.ts'
import type { Results } from '#scenarios/harness/z-results.ts'
import { createDifference, type Difference } from '#scenarios/reports/create-difference.ts'
import { tallyResults } from '#scenarios/reports/verdicts.ts'
import {
  type ReportedRun,
  runAndReport,
  runOnTestbed,
  type SelectedRuns,
} from '#testbed/runs/run-and-report.ts'
import { findRunningTestbed } from '#testbed/runs/running-testbed.ts'
import { createInterrupt, exitCodes } from '../exit-codes.ts'
import {
  createProgressOption,
  openProgressIfAsked,
  type ProgressFormat,
} from '../progress-stream.ts'
import { formatDifference, readResults } from '../read-results.ts'
import { createGithubReporter } from '../report-to-github.ts'
import { createScenarioDisplay, type ScenarioDisplay } from '../show-scenarios.ts'
import { startOwnTestbed } from '../start-own-testbed.ts'
import {
  closeWorker,
  countWorkers,
  runInWorkers,
  startWorker,
  type Worker,
} from '../workers/run-in-workers.ts'

export const summary = 'run scenario suites and write reports'

export const examples = [
  ['run', 'all suites, against a new testbed'],
  ['run issuance/representative --report out', 'some scenarios, with the reports in out/'],
  ['run --testbed .testbed/testbed.json', 'against a running testbed'],
] as const

export function configure(command: Command): void {
  command
    .argument('[pattern]', 'regular expression on suite/scenario; default: all')
    .option(
      '--testbed <file>',
      'testbed.json of a running testbed; default: start one on free ports',
    )
    .option('--processes', 'start a testbed with each service in a separate process')
    .option('--report <dir>', 'folder for the reports', 'reports/scenarios')
    .option('--compare <results>', 'an earlier run; the reports show the changes since then')
    .option('--shard <i/n>', 'run part i of n')
    .option('--parallel <n>', 'number of scenarios that run in parallel in a process', readCount, 4)
    .option(
      '--workers <n>',
      'number of processes, each with a testbed; default: depends on scenarios and processors',
      readCount,
    )
    .option('--seed <text>', 'seed of names and keys, to repeat a run')
    .addOption(createProgressOption())
    .option('--bail', 'stop after the first scenario that fails')
    .action(run)
}

/** Options of `testbed run` as given on the command line. */
interface RunOptions extends ExecutionOptions {
  readonly report: string
  readonly compare?: string
  readonly shard?: string
  readonly progress: ProgressFormat
  readonly json?: boolean
}

function readCount(text: string): number {
  const count = Number(text)
  if (Number.isInteger(count) && count >= 1 && count <= 64) return count
  throw new InvalidArgumentError('Use a whole number from 1 to 64.')
}

/**
 * Runs scenarios, shows the progress and writes the reports. Sets the exit code: 0 if all passed, 1
 * if something failed, 3 if a part could not run, 130 if interrupted.
 * @throws TestbedError wrong usage, or a testbed that did not start
 */
async function run(pattern: string | undefined, options: RunOptions): Promise<void> {
  const { report, compare, shard, seed, json } = options
  refuseCombination(options)
  const progress = openProgressIfAsked(options)
  const stream = json || progress ? process.stderr : process.stdout
  // Before the run: its reports may overwrite those that it is compared with.
  const earlier = compare === undefined ? undefined : await readResults(compare)
  const github = createGithubReporter(process.env, stream)
  const resumeCommands = github.holdCommands()
  let display: ScenarioDisplay | undefined
  let started: ReturnType<typeof startWorkersEarly> = []
  const interrupt = createInterrupt()
  const signal = progress ? AbortSignal.any([interrupt, progress.signal]) : interrupt
  const reported = await runAndReport({
    pattern,
    shard,
    seed,
    reportFolder: resolve(report),
    earlier,
    prepare(seed) {
      started = startWorkersEarly(seed, options)
    },
    execute(selected) {
      const total = selected.runs.length
      display = progress?.createDisplay(total) ?? createScenarioDisplay({ stream, total })
      const onProgress = (event: Progress) => display?.show(event)
      return executeRuns(selected, options, { signal, onProgress, started })
    },
  }).catch((error: unknown) => {
    resumeCommands()
    throw error
  })
  const { results } = reported
  const difference = earlier && createDifference(earlier, results)
  display?.finish(results)
  if (difference) stream.write(`\n${formatDifference(difference, stream)}`)
  resumeCommands()
  await github.report(results, difference)
  progress?.close()
  await Promise.all(started.map(closeWorker))
  const page = reported.reports.find((path) => path.endsWith('.html'))
  if (page !== undefined) process.stderr.write(`Report: ${pathToFileURL(page)}\n`)
  if (json) process.stdout.write(`${JSON.stringify(toJson(reported, difference), undefined, 2)}\n`)
  process.exitCode = exitCodeFor(results)
}

function toJson({ results, reports }: ReportedRun, difference: Difference | undefined) {
  const { scenarios, durationMilliseconds, interrupted, warnings } = results
  const { passed, failed, skipped } = tallyResults(results)
  return {
    passed,
    failed,
    skipped,
    interrupted,
    durationMilliseconds,
    warnings,
    scenarios: scenarios.map(({ id, title, verdict, failure, repeat, skipReason, ...each }) => ({
      id,
      title,
      verdict,
      durationMilliseconds: each.durationMilliseconds,
      ...(failure === undefined ? {} : { failure, repeat }),
      ...(skipReason === undefined ? {} : { skipReason }),
    })),
    reports,
    ...(difference && { difference }),
  }
}

function exitCodeFor(results: Results): number {
  if (results.interrupted) return exitCodes.interrupted
  const { failed, skipped } = tallyResults(results)
  if (failed > 0) return exitCodes.failed
  // Scenarios skipped without a reason could not run: the testbed of their worker did not start.
  const lost = skipped - results.scenarios.filter(({ skipReason }) => skipReason).length
  return lost > 0 ? exitCodes.notStarted : exitCodes.passed
}

/** The command line's choice of where and how the selected scenarios run. */
interface ExecutionOptions {
  /** A running testbed's `testbed.json`. */
  readonly testbed?: string
  /** Each service in a separate process. */
  readonly processes?: boolean
  readonly bail?: boolean
  readonly seed?: string
  /** The number of scenarios that run in parallel in a process. */
  readonly parallel?: number
  /** The number of processes, each with its own testbed. */
  readonly workers?: number
}

/** @throws TestbedError `invalid_option` for options that contradict each other */
function refuseCombination(options: ExecutionOptions): void {
  const { testbed, processes = false, workers = 1, bail = false } = options
  if (processes && testbed !== undefined) {
    throw wrongUsage(
      '--processes starts a testbed, but --testbed names a running one. Use only one of these options.',
    )
  }
  if (workers > 1 && testbed !== undefined) {
    throw wrongUsage(
      'Each worker starts a testbed, but --testbed names a running one. Omit --testbed or use one worker.',
    )
  }
  if (workers > 1 && bail) {
    throw wrongUsage(
      '--bail works with one worker only: other workers would not stop after a failure.',
    )
  }
}

/**
 * Starts the workers of a run of all suites while the suites are still loading: their testbeds take
 * several times as long to start.
 */
function startWorkersEarly(seed: string, options: ExecutionOptions): readonly Worker[] {
  const { testbed, processes = false, bail = false } = options
  const usual =
    bail || processes ? 1 : countWorkers(Number.POSITIVE_INFINITY, availableParallelism())
  const { workers = usual } = options
  if (testbed !== undefined || workers === 1) return []
  const started: Worker[] = []
  for (let number = 1; number <= workers; number++) {
    // One after the other: together they would delay the first result.
    started.push(startWorker({ number, seed, processes }, started.at(-1)))
  }
  return started
}

/**
 * Runs the selected scenarios: on the given testbed, on a new one in memory on free ports, or in
 * several processes with a testbed each if that saves time.
 * @throws TestbedError `not_running`, `not_started`
 */
async function executeRuns(
  { runs, seed, selection }: SelectedRuns,
  options: ExecutionOptions,
  {
    signal,
    onProgress,
    started,
  }: Required<Pick<RunScenariosOptions, 'signal' | 'onProgress'>> & {
    /** Workers that were started for this run. */
    readonly started: readonly Worker[]
  },
): Promise<Results> {
  const { testbed, processes = false, bail = false, parallel } = options
  const executablePath = process.env.PUPPETEER_EXECUTABLE_PATH
  const shared = {
    runs,
    seed,
    selection,
    signal,
    onProgress,
    ...(parallel !== undefined && { parallelism: parallel }),
    ...(executablePath !== undefined && { executablePath }),
  }
  if (testbed !== undefined) {
    const file = await findRunningTestbed(testbed)
    process.stderr.write(`Using the running testbed at ${file.consoleUrl}.\n`)
    // On a testbed that has already seen these names, the scenarios would meet the state of the
    // earlier run.
    const repeated = options.seed === undefined ? [] : ['--seed', seed]
    const used = { file, isOwn: false, close: async () => {} }
    const repeatOptions = ['--testbed', testbed, ...repeated]
    return runOnTestbed(used, { ...shared, bail, repeatOptions })
  }
  const repeatOptions = [...(processes ? ['--processes'] : []), '--seed', seed]
  const usual = bail || processes ? 1 : countWorkers(runs.length, availableParallelism())
  const { workers = usual } = options
  if (workers > 1 && runs.length > 1) {
    return runInWorkers({ ...shared, workers, processes, started, repeatOptions })
  }
  const { file, readTraces, close } = await startOwnTestbed({ seed, processes })
  return runOnTestbed({ file, isOwn: true, readTraces, close }, { ...shared, bail, repeatOptions })
}
