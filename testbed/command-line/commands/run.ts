import { resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { type Command, InvalidArgumentError } from 'commander'
import type { Progress } from '#scenarios/harness/run-scenarios.ts'
import type { Results } from '#scenarios/harness/z-results.ts'
import { createDifference, type Difference } from '#scenarios/reports/create-difference.ts'
import { tallyResults } from '#scenarios/reports/verdicts.ts'
import { runSuites, type SuitesRun } from '../../runs/run-suites.ts'
import { type ExecutionOptions, executeRuns, refuseCombination } from '../execute-runs.ts'
import { createInterrupt, exitCodes } from '../exit-codes.ts'
import { formatDifference, readResults } from '../read-results.ts'
import { createGithubReporter } from '../report-to-github.ts'
import { createScenarioDisplay, type ScenarioDisplay } from '../show-scenarios.ts'

export const summary = 'run scenario suites and report on them'

export function configure(command: Command): void {
  command
    .argument('[pattern]', 'regular expression on suite/scenario; by default all')
    .option(
      '--testbed <file>',
      "a running testbed's testbed.json; by default a testbed is started on free ports",
    )
    .option('--processes', 'start one with each service in a process of its own')
    .option('--report <dir>', 'folder for the reports', 'reports/scenarios')
    .option('--compare <results>', 'an earlier run; the reports tell what changed since')
    .option('--shard <i/n>', 'run the i-th of n parts')
    .option('--parallel <n>', 'how many scenarios run side by side in a process', readCount, 4)
    .option('--workers <n>', 'processes with a testbed each; by default as many as pay', readCount)
    .option('--seed <text>', 'names and keys follow from it, so that a run can be repeated')
    .option('--bail', 'begin no other scenario after the first that failed')
    .action(run)
}

/** Options of `testbed run` as the command line gives them. */
interface RunOptions extends ExecutionOptions {
  readonly report: string
  readonly compare?: string
  readonly shard?: string
  readonly json?: boolean
}

function readCount(text: string): number {
  const count = Number(text)
  if (Number.isInteger(count) && count >= 1 && count <= 64) return count
  throw new InvalidArgumentError('A whole number from 1 to 64 is wanted.')
}

/**
 * Runs scenarios, shows how they go and writes the reports. Sets the exit code: 0 all passed,
 * 1 something failed, 3 a part could not run, 130 interrupted.
 * @throws TestbedError wrong usage, or a testbed that did not start
 */
async function run(pattern: string | undefined, options: RunOptions): Promise<void> {
  const { report, compare, shard, seed, json } = options
  refuseCombination(options)
  const stream = json ? process.stderr : process.stdout
  // Before the run: its reports may take the place of those that it is compared with.
  const earlier = compare === undefined ? undefined : await readResults(compare)
  const github = createGithubReporter(process.env, stream)
  const resumeCommands = github.holdCommands()
  let display: ScenarioDisplay | undefined
  const signal = createInterrupt()
  const suitesRun = await runSuites({
    pattern,
    shard,
    seed,
    reportFolder: resolve(report),
    earlier,
    execute(selected) {
      display = createScenarioDisplay({ stream, total: selected.runs.length })
      const onProgress = (progress: Progress) => display?.show(progress)
      return executeRuns(selected, options, { signal, onProgress })
    },
  }).catch((error: unknown) => {
    resumeCommands()
    throw error
  })
  const { results } = suitesRun
  const difference = earlier && createDifference(earlier, results)
  display?.finish(results)
  if (difference) stream.write(`\n${formatDifference(difference, stream)}`)
  resumeCommands()
  await github.report(results, difference)
  const page = suitesRun.reports.find((path) => path.endsWith('.html'))
  if (page !== undefined) process.stderr.write(`Report: ${pathToFileURL(page)}\n`)
  if (json) process.stdout.write(`${JSON.stringify(toJson(suitesRun, difference), undefined, 2)}\n`)
  process.exitCode = exitCodeFor(results)
}

function toJson({ results, reports }: SuitesRun, difference: Difference | undefined) {
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
  // Without a reason of its own it could not run: a worker's testbed did not start.
  const lost = skipped - results.scenarios.filter(({ skipReason }) => skipReason).length
  return lost > 0 ? exitCodes.notStarted : exitCodes.passed
}
