import { resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { isTestbedError, TestbedError } from '#core/errors/testbed-error.ts'
import { createLog } from '#kit/log.ts'
import type { ScenarioRun } from '#scenarios/harness/select-scenarios.ts'
import type { Results } from '#scenarios/harness/z-results.ts'
import { createDifference, type Difference } from '#scenarios/reports/create-difference.ts'
import { tallyResults } from '#scenarios/reports/tally-results.ts'
import { exitCodes } from './exit-codes.ts'
import { findRunningTestbed } from './find-running-testbed.ts'
import { formatDifference } from './format-difference.ts'
import { readResults } from './read-results.ts'
import { createGithubReporter } from './report-to-github.ts'
import { runSuites, type SuitesRun, type UsedTestbed } from './run-suites.ts'
import { createScenarioDisplay, type ScenarioDisplay } from './show-scenarios.ts'

/** Options of `testbed run` as the command line gives them. */
export interface RunOptions {
  readonly testbed?: string
  readonly processes?: boolean
  readonly report: string
  readonly compare?: string
  readonly shard?: string
  readonly bail?: boolean
  readonly seed?: string
  readonly parallel?: number
  readonly json?: boolean
}

/**
 * The running testbed, or one of our own in memory on free ports, which is stopped afterwards; always
 * one of our own with a process for each service.
 */
async function useTestbed(
  { testbed: given, processes = false }: RunOptions,
  seed: string,
): Promise<UsedTestbed> {
  if (processes && given !== undefined) {
    throw new TestbedError({
      code: 'invalid_option',
      status: 400,
      message: 'With --processes a testbed is started; --testbed names one that runs.',
      hints: ['Leave one of the two out.'],
    })
  }
  const file = processes ? undefined : await findRunningTestbed(given)
  if (file !== undefined) {
    process.stderr.write(`Against the running testbed at ${file.consoleUrl}.\n`)
    const options = given === undefined ? [] : ['--testbed', given]
    return { file, isOwn: false, options, close: async () => {} }
  }
  const { startTestbed } = await import('#testbed/start-testbed.ts')
  const log = createLog({ level: process.env.LOG_LEVEL ?? 'silent' })
  const testbed = await startTestbed({ log, seed, processes }).catch((cause: unknown) => {
    throw new TestbedError({
      code: 'not_started',
      status: 500,
      message: `The testbed did not start: ${cause instanceof Error ? cause.message : cause}`,
      hints: isTestbedError(cause) ? cause.hints : [],
      cause,
    })
  })
  const own = processes ? ['--processes'] : []
  return { file: testbed.file, isOwn: true, options: own, close: testbed.close }
}

/** Ends with the first signal; further ones do no harm, as Ctrl-C may arrive twice. */
function createInterrupt(): AbortSignal {
  const interrupt = new AbortController()
  for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
    process.on(name, () => interrupt.abort(new Error('interrupted')))
  }
  return interrupt.signal
}

function toJson({ results, reports }: SuitesRun, difference: Difference | undefined) {
  const { scenarios, durationMilliseconds, interrupted, warnings } = results
  return {
    ...tallyResults(results),
    interrupted,
    durationMilliseconds,
    warnings,
    scenarios: scenarios.map(({ id, title, verdict, failure, repeat, ...each }) => ({
      id,
      title,
      verdict,
      durationMilliseconds: each.durationMilliseconds,
      ...(failure === undefined ? {} : { failure, repeat }),
    })),
    reports,
    ...(difference && { difference }),
  }
}

function exitCodeFor(results: Results): number {
  if (results.interrupted) return exitCodes.interrupted
  return tallyResults(results).failed > 0 ? exitCodes.failed : exitCodes.passed
}

/**
 * Runs scenarios, shows how they go and writes the reports. Sets the exit code: 0 all passed,
 * 1 something failed, 130 interrupted.
 * @throws TestbedError wrong usage, or a testbed that did not start
 */
export async function run(pattern: string | undefined, options: RunOptions): Promise<void> {
  const { report, compare, shard, bail = false, seed, parallel, json } = options
  const stream = json ? process.stderr : process.stdout
  // Before the run: its reports may take the place of those that it is compared with.
  const earlier = compare === undefined ? undefined : await readResults(compare)
  const github = createGithubReporter(process.env, stream)
  const resumeCommands = github.holdCommands()
  let display: ScenarioDisplay | undefined
  const suitesRun = await runSuites({
    pattern,
    shard,
    bail,
    seed,
    parallelism: parallel,
    reportFolder: resolve(report),
    earlier,
    executablePath: process.env.PUPPETEER_EXECUTABLE_PATH,
    signal: createInterrupt(),
    useTestbed: (chosenSeed) => useTestbed(options, chosenSeed),
    onSelected: (runs: readonly ScenarioRun[]) => {
      display = createScenarioDisplay({ stream, total: runs.length })
    },
    onProgress: (progress) => display?.show(progress),
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
