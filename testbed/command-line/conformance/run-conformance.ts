import { resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { createPlanResults } from '#scenarios/conformance/create-plan-results.ts'
import type { PlanName } from '#scenarios/conformance/define-check.ts'
import { createExchangeLog } from '#scenarios/conformance/evidence/create-exchange-log.ts'
import { loadChecks } from '#scenarios/conformance/load-checks.ts'
import { openTargetPlan } from '#scenarios/conformance/open-target-plan.ts'
import type { OpenPlanOptions } from '#scenarios/conformance/plan.ts'
import { runPlan } from '#scenarios/conformance/run-plan.ts'
import { selectChecks } from '#scenarios/conformance/select-checks.ts'
import type { Results } from '#scenarios/harness/z-results.ts'
import { writeReports } from '#scenarios/reports/write-reports.ts'
import { createInterrupt } from '../create-interrupt.ts'
import { exitCodes } from '../exit-codes.ts'
import { readResults } from '../read-results.ts'
import { readVersion } from '../read-version.ts'
import { createScenarioDisplay } from '../show-scenarios.ts'
import { listChecks } from './list-checks.ts'

/** Options of `testbed conformance` as the command line gives them. */
export interface ConformanceOptions {
  readonly target: string
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
 * 0 nothing failed, 1 something failed or nothing at all was decided, 130 interrupted.
 * @throws TestbedError `invalid_option`, `invalid_target`, `not_started`
 */
export async function runConformance(
  plan: PlanName,
  pattern: string | undefined,
  options: ConformanceOptions,
): Promise<void> {
  const { target, strict = false, report, compare, json = false } = options
  const checks = selectChecks(await loadChecks(plan), pattern)
  if (options.list) return listChecks(checks, json)
  const stream = json ? process.stderr : process.stdout
  const earlier = compare === undefined ? undefined : await readResults(compare)
  const signal = createInterrupt()
  const exchanges = createExchangeLog()
  const open = await openPlan(plan, target, {
    exchanges,
    signal,
    environment: process.env,
    say: (text) => process.stderr.write(`${text}\n`),
  })
  const startedAt = new Date()
  const began = performance.now()
  const display = createScenarioDisplay({ stream, total: checks.length })
  try {
    const runs = await runPlan(open, {
      checks,
      exchanges,
      strict,
      signal,
      repeatOptions: ['--target', target, ...(strict ? ['--strict'] : [])],
      onResult: (result) => display.show({ kind: 'ended', result }),
    })
    const results = createPlanResults(open, {
      runs,
      startedAt,
      durationMilliseconds: performance.now() - began,
      interrupted: signal.aborted,
      strict,
      kitVersion: readVersion(),
      pattern,
    })
    display.finish(results)
    const paths = await writeReports(resolve(report), results, {
      earlier,
      workingFolder: process.cwd(),
    })
    const page = paths.find((path) => path.endsWith('.html'))
    if (page !== undefined) process.stderr.write(`Report: ${pathToFileURL(page)}\n`)
    if (json) process.stdout.write(`${JSON.stringify(results, undefined, 2)}\n`)
    process.exitCode = exitCodeFor(results, strict)
  } finally {
    await open.close()
  }
}

async function openPlan(plan: PlanName, target: string, options: OpenPlanOptions) {
  if (target !== 'self') return openTargetPlan(plan, target, options)
  const { openSelfPlan } = await import('#testbed/conformance/open-self-plan.ts')
  return openSelfPlan(plan, options)
}

function exitCodeFor({ interrupted, scenarios }: Results, strict: boolean): number {
  if (interrupted) return exitCodes.interrupted
  const count = (wanted: string) => scenarios.filter(({ verdict }) => verdict === wanted).length
  if (count('failed') > 0 || (strict && count('inconclusive') > 0)) return exitCodes.failed
  // A target that shows nothing has passed nothing.
  return count('inconclusive') === scenarios.length ? exitCodes.failed : exitCodes.passed
}
