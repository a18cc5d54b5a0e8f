// The package's entry `lear-testbed/vitest`.
import './require-node.ts'
import { existsSync } from 'node:fs'
import { resolve } from 'node:path'
import { afterAll, beforeAll, describe, type TestContext, test } from 'vitest'
import { z } from 'zod'
import { programCommand, suggestNames } from '#scenarios/harness/command-line.ts'
import type { Scenario } from '#scenarios/harness/define-scenario.ts'
import type { ScenarioSession } from '#scenarios/harness/run-scenarios.ts'
import type { ScenarioRun } from '#scenarios/harness/select-scenarios.ts'
import type { ScenarioResult } from '#scenarios/harness/z-results.ts'
import { checkOptions, zScenario } from './check-options.ts'
import { repeatWith } from './repeat-with.ts'

export interface DescribeScenariosOptions {
  /** Regular expression on `suite/scenario`, or on `suite/scenario/algorithm`. Default: all. */
  readonly pattern?: string | RegExp | undefined
  /**
   * Folder with your own scenarios: `SUITE/NAME.ts` exports `scenario`, created by
   * `defineScenario`. Default: the included suites.
   */
  readonly folder?: string | undefined
  /** Your own scenarios instead of a folder. */
  readonly scenarios?: readonly Scenario[] | undefined
  /** `I/N`: the I-th of N parts. */
  readonly shard?: string | undefined
  /**
   * Path of a running testbed's `testbed.json`. Default: the environment variable TESTBED_FILE;
   * without it a testbed is started for these tests, on free ports and in memory.
   */
  readonly testbedFile?: string | undefined
  /**
   * Folder for `index.html`, `junit.xml`, `results.json` and `summary.md`. Default:
   * `reports/scenarios`.
   */
  readonly reportFolder?: string | undefined
  /** Seed of the scenarios' names and keys. Default: random. */
  readonly seed?: string | undefined
}

const zOptions = z
  .strictObject({
    pattern: z.union([z.string(), z.instanceof(RegExp)], 'must be a string or a RegExp'),
    folder: z.string().min(1),
    scenarios: z.array(zScenario),
    shard: z.string(),
    testbedFile: z.string(),
    reportFolder: z.string().min(1),
    seed: z.string(),
  } satisfies { [Name in keyof Required<DescribeScenariosOptions>]: z.ZodType })
  .partial()

/**
 * Registers each scenario, with each of its algorithms, as a test of the calling file. One testbed
 * serves them all; after the last one it stops and the reports are written. Scenarios that move
 * time or break a part run one at a time, after the others.
 * @param given what to run: a regular expression on `suite/scenario`, or options
 * @throws TestbedError `invalid_option`
 * @throws Error if no scenario matches
 */
export async function describeScenarios(
  given: string | RegExp | DescribeScenariosOptions = {},
): Promise<void> {
  const isPattern = typeof given === 'string' || given instanceof RegExp
  const options = isPattern ? { pattern: given } : given
  await checkOptions(zOptions, options, 'describeScenarios')
  const { reportFolder = 'reports/scenarios', seed, testbedFile } = options
  const runs = await selectRuns(options)
  let testFile = ''
  // vitest rejects a file without tests; with more shards than scenarios some shards are empty.
  if (runs.length === 0) return test(`no scenario is in shard ${options.shard}`, () => {})
  const interrupt = new AbortController()
  let session: ScenarioSession | undefined
  let close = async () => {}

  async function begin(): Promise<void> {
    const { launchBrowser } = await import('#scenarios/harness/launch-browser.ts')
    const { openScenarioSession } = await import('#scenarios/harness/run-scenarios.ts')
    const testbed = await useTestbed(testbedFile, seed)
    close = testbed.close
    session = openScenarioSession({
      testbed: testbed.file,
      isOwnTestbed: testbed.isOwn,
      launchBrowser: () => launchBrowser({ executablePath: process.env.PUPPETEER_EXECUTABLE_PATH }),
      timeLimitMilliseconds,
      signal: interrupt.signal,
      ...(seed !== undefined && { seed }),
    })
  }

  async function end(): Promise<void> {
    const { writeReports } = await import('#scenarios/reports/write-reports.ts')
    try {
      if (session === undefined) return
      const results = await session.close(runs)
      const own = (id: string) => commandOf(testFile, id)
      await writeReports(reportFolder, isOwn(options) ? repeatWith(results, own) : results)
    } finally {
      await close()
    }
  }

  const testOf = (run: ScenarioRun) => async (context: TestContext) => {
    testFile = context.task.file.name
    context.signal.addEventListener('abort', () => interrupt.abort(new Error('interrupted')))
    if (session === undefined) throw new Error('There is no testbed.')
    const result = await (run.scenario.exclusive ? session.runAlone(run) : session.run(run))
    if (result.skipReason !== undefined) context.skip(result.skipReason)
    if (result.verdict !== 'passed') throw toError(result, context)
  }

  describe('scenarios', () => {
    beforeAll(begin, timeout)
    afterAll(end, timeout)
    const nameOf = ({ id, scenario }: ScenarioRun) => `${id}: ${scenario.title}`
    const [alone = [], together = []] = [true, false].map((isExclusive) =>
      runs.filter(({ scenario }) => (scenario.exclusive ?? false) === isExclusive),
    )
    for (const run of together) test.concurrent(nameOf(run), { timeout }, testOf(run))
    for (const run of alone) test(nameOf(run), { timeout, concurrent: false }, testOf(run))
  })
}

// biome-ignore lint/performance/noBarrelFile: an entry of the package has what its users need
export { defineScenario } from '#scenarios/harness/define-scenario.ts'

const timeLimitMilliseconds = 60_000

// A scenario ends at its own limit, with the name of the step; vitest's limit is for a hang outside
// of the scenario.
const timeout = 2 * timeLimitMilliseconds

async function selectRuns(options: DescribeScenariosOptions): Promise<ScenarioRun[]> {
  const { pattern, shard } = options
  const { selectScenarios } = await import('#scenarios/harness/select-scenarios.ts')
  const known = await findScenarios(options)
  const source = pattern instanceof RegExp ? pattern.source : pattern
  if (selectScenarios(known, { pattern: source }).length === 0) {
    const names = known.map(({ id }) => id)
    throw new Error(
      [
        source === undefined ? 'There are no scenarios.' : `No scenario matches ${source}.`,
        ...suggestNames(source ?? '', names),
        ...(isOwn(options) ? [] : [`List all scenarios with ${programCommand} list.`]),
      ].join(' '),
    )
  }
  return selectScenarios(known, { pattern: source, shard })
}

/** Whether it runs the caller's scenarios, which the program does not know. */
const isOwn = ({ folder, scenarios }: DescribeScenariosOptions) =>
  folder !== undefined || scenarios !== undefined

async function findScenarios({
  folder,
  scenarios,
}: DescribeScenariosOptions): Promise<readonly Scenario[]> {
  const { loadScenarios } = await import('#scenarios/harness/select-scenarios.ts')
  if (scenarios !== undefined || folder === undefined) return scenarios ?? loadScenarios()
  const path = resolve(folder)
  const found = existsSync(path) ? await loadScenarios(path) : []
  if (found.length > 0) return found
  const { wrongUsage } = await import('#scenarios/errors.ts')
  throw wrongUsage(
    existsSync(path)
      ? `The folder ${path} contains no scenario SUITE/NAME.ts.`
      : `The folder ${path} does not exist.`,
  )
}

async function useTestbed(given: string | undefined, seed: string | undefined) {
  const path = given ?? process.env.TESTBED_FILE
  if (path !== undefined) {
    const { findRunningTestbed } = await import('#testbed/runs/running-testbed.ts')
    return { file: await findRunningTestbed(path), isOwn: false, close: async () => {} }
  }
  const { startTestbed } = await import('./start-testbed.ts')
  const { file, close } = await startTestbed({ seed })
  return { file, isOwn: true, close }
}

const commandOf = (testFile: string, id: string) => `npx vitest run ${testFile} -t '${id}'`

/** What vitest shows of a failed scenario; `expected` and `actual` give the difference. */
function toError({ id, failure }: Omit<ScenarioResult, 'hops'>, { task }: TestContext): Error {
  const { message = 'It was interrupted.', step, stack, code, expected, actual } = failure ?? {}
  const text = [
    message,
    ...(step === undefined ? [] : [`  in the step: ${step}`]),
    `  to repeat it: ${commandOf(task.file.name, id)}`,
  ].join('\n')
  const error = Object.assign(new Error(text), { code, expected, actual })
  if (stack !== undefined) error.stack = stack.replace(message, () => text)
  return error
}
