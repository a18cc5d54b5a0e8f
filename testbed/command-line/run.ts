import { resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { Progress } from '#scenarios/harness/run-scenarios.ts'
import type { Results } from '#scenarios/harness/z-results.ts'
import { createDifference, type Difference } from '#scenarios/reports/create-difference.ts'
import { tallyResults } from '#scenarios/reports/verdicts.ts'
import { createInterrupt } from './create-interrupt.ts'
import { type ExecutionOptions, executeRuns, refuseCombination } from './execute-runs.ts'
import { exitCodes } from './exit-codes.ts'
import { formatDifference } from './format-difference.ts'
import { readResults } from './read-results.ts'
import { createGithubReporter } from './report-to-github.ts'
import { runSuites, type SuitesRun } from './run-suites.ts'
import { createScenarioDisplay, type ScenarioDisplay } from './show-scenarios.ts'

/** Options of `testbed run` as the command line gives them. */
export interface RunOptions extends ExecutionOptions {
  readonly report: string
  readonly compare?: string
  readonly shard?: string
  readonly json?: boolean
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

/**
 * Runs scenarios, shows how they go and writes the reports. Sets the exit code: 0 all passed,
 * 1 something failed, 3 a part could not run, 130 interrupted.
 * @throws TestbedError wrong usage, or a testbed that did not start
 */
export async function run(pattern: string | undefined, options: RunOptions): Promise<void> {
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
