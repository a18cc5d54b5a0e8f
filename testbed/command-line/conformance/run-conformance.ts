import { resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { createPlanResults } from '#conformance/kit/create-plan-results.ts'
import type { PlanName } from '#conformance/kit/define-check.ts'
import {
  createExchangeLog,
  type ExchangeLog,
} from '#conformance/kit/evidence/create-exchange-log.ts'
import type { OperatorKey } from '#conformance/kit/evidence/read-operator-key.ts'
import { type LoadedCheck, loadChecks } from '#conformance/kit/load-checks.ts'
import { openTargetPlan } from '#conformance/kit/open-target-plan.ts'
import type { OpenPlan, OpenPlanOptions } from '#conformance/kit/plan.ts'
import { runPlan } from '#conformance/kit/run-plan.ts'
import { selectChecks } from '#conformance/kit/select-checks.ts'
import { readExample } from '#conformance/targets/read-example.ts'
import type { Results } from '#scenarios/harness/z-results.ts'
import { createDifference } from '#scenarios/reports/create-difference.ts'
import { writeReports } from '#scenarios/reports/write-reports.ts'
import { createInterrupt } from '../create-interrupt.ts'
import { exitCodes } from '../exit-codes.ts'
import { formatDifference } from '../format-difference.ts'
import { readCommit } from '../read-commit.ts'
import { readResults } from '../read-results.ts'
import { readVersion } from '../read-version.ts'
import { createGithubReporter } from '../report-to-github.ts'
import { createScenarioDisplay, type ScenarioDisplay } from '../show-scenarios.ts'
import { createPersonPrompt } from './create-person-prompt.ts'
import { exitCodeFor } from './exit-code-for.ts'
import { listChecks } from './list-checks.ts'
import { openReportFolder } from './open-report-folder.ts'
import { readSigningKey } from './read-signing-key.ts'
import { requireTarget } from './require-target.ts'
import { writeSignedResult } from './write-signed-result.ts'

/** Options of `testbed conformance` as the command line gives them. */
export interface ConformanceOptions {
  /** A file, or `self`. */
  readonly target?: string
  readonly strict?: boolean
  readonly report: string
  readonly compare?: string
  readonly sign?: string
  readonly keyId?: string
  readonly list?: boolean
  readonly example?: boolean
  readonly json?: boolean
}

/**
 * Runs a plan against its target, shows how it goes and writes the reports. Sets the exit code:
 * 0 nothing failed, 1 something failed (the kit as well) or nothing at all was decided, 130
 * interrupted.
 * @throws TestbedError `invalid_option`, `invalid_target`, `not_started`
 */
export async function runConformance(
  plan: PlanName,
  pattern: string | undefined,
  options: ConformanceOptions,
): Promise<void> {
  const { compare, json = false } = options
  if (options.example) return void process.stdout.write(await readExample(plan))
  const checks = selectChecks(await loadChecks(plan), pattern)
  if (options.list) return listChecks(checks, json)
  const target = requireTarget(plan, options)
  const earlier = compare === undefined ? undefined : await readResults(compare)
  const key = await readSigningKey(options)
  await openReportFolder(options.report)
  const signal = createInterrupt()
  const exchanges = createExchangeLog()
  const prompt = createPersonPrompt()
  const open = await openPlan(plan, target, {
    exchanges,
    signal,
    environment: process.env,
    askPerson: prompt.ask,
    say: (text) => process.stderr.write(`${text}\n`),
  }).catch((error: unknown) => {
    prompt.close()
    if (!signal.aborted) throw error
    process.exitCode = exitCodes.interrupted
  })
  if (open === undefined) return
  try {
    const running = { checks, exchanges, signal, pattern }
    await runAndReport(open, { ...options, ...running, target, earlier, key })
  } finally {
    prompt.close()
    await open.close()
  }
}

async function runAndReport(
  open: OpenPlan,
  options: Omit<ExecuteOptions, 'display'> & WriteOptions,
): Promise<void> {
  const { checks, earlier, json = false, strict = false } = options
  const stream = json ? process.stderr : process.stdout
  const display = createScenarioDisplay({ stream, total: checks.length })
  const github = createGithubReporter(process.env, stream)
  const resumeCommands = github.holdCommands()
  try {
    const results = await execute(open, { ...options, display })
    display.finish(results)
    const difference = earlier && createDifference(earlier, results)
    if (difference) stream.write(`\n${formatDifference(difference, stream)}`)
    resumeCommands()
    await github.report(results, difference)
    await writeAll(results, options)
    if (json) process.stdout.write(`${JSON.stringify(results, undefined, 2)}\n`)
    process.exitCode = exitCodeFor(results, strict)
  } catch (error) {
    resumeCommands()
    throw error
  }
}

interface ExecuteOptions extends ConformanceOptions {
  readonly target: string
  readonly checks: readonly LoadedCheck[]
  readonly exchanges: ExchangeLog
  readonly signal: AbortSignal
  readonly display: ScenarioDisplay
  readonly pattern: string | undefined
}

async function execute(open: OpenPlan, options: ExecuteOptions): Promise<Results> {
  const { checks, exchanges, signal, display, pattern, target, strict = false } = options
  const startedAt = new Date()
  const began = performance.now()
  const runs = await runPlan(open, {
    checks,
    exchanges,
    strict,
    signal,
    repeatOptions: ['--target', target, ...(strict ? ['--strict'] : [])],
    onResult: (result) => display.show({ kind: 'ended', result }),
  })
  const described = { plan: open.plan, target: exchanges.mask(open.target) }
  return createPlanResults(described, {
    runs,
    startedAt,
    durationMilliseconds: performance.now() - began,
    interrupted: signal.aborted,
    strict,
    kitVersion: readVersion(),
    commit: readCommit(),
    pattern,
  })
}

interface WriteOptions extends ConformanceOptions {
  readonly earlier: Results | undefined
  readonly key: OperatorKey | undefined
}

/** Writes the reports and, where there is a key, the signed result; says where they are. */
async function writeAll(results: Results, { report, earlier, key }: WriteOptions): Promise<void> {
  const folder = resolve(report)
  const paths = await writeReports(folder, results, { earlier, workingFolder: process.cwd() })
  const now = Math.floor(Date.now() / 1000)
  const signed = await writeSignedResult(folder, { key, now })
  const page = paths.find((path) => path.endsWith('.html'))
  if (page !== undefined) process.stderr.write(`Report: ${pathToFileURL(page)}\n`)
  if (signed !== undefined) process.stderr.write(`Signed: ${signed}\n`)
}

async function openPlan(plan: PlanName, target: string, options: OpenPlanOptions) {
  if (target !== 'self') return openTargetPlan(plan, target, options)
  const { openSelfPlan } = await import('#testbed/conformance/open-self-plan.ts')
  return openSelfPlan(plan, options)
}
