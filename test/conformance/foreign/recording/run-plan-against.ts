import { mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { PlanName } from '#conformance/kit/check.ts'
import { createExchangeLog } from '#conformance/kit/evidence/exchange-log.ts'
import { loadChecks, selectChecks } from '#conformance/kit/load-checks.ts'
import { openTargetPlan } from '#conformance/kit/open-target-plan.ts'
import { summarizeDialect } from '#conformance/kit/plan-results.ts'
import { runPlan } from '#conformance/kit/run-plan.ts'
import type { ScenarioResult } from '#scenarios/harness/z-results.ts'
import { findFreePorts } from '#test/support/servers.ts'
import type { RunOptions } from './foreign-system.ts'
import type { Observed, RecordedFinding } from './recorded-runs.ts'

export interface PlanRun {
  readonly plan: PlanName
  readonly targetFile?: string
  /** Only checks whose id or name it fits. */
  readonly pattern?: string
}

/**
 * Runs a plan against the system of a folder, as its target file says but on free ports, so that
 * several run side by side.
 */
export async function runPlanAgainst(
  { plan, targetFile = 'target.yaml', pattern }: PlanRun,
  { folder, signal }: RunOptions,
): Promise<Observed> {
  const workFolder = await mkdtemp(join(tmpdir(), 'foreign-system-'))
  try {
    // Programs resolve their packages from their real path.
    for (const name of await readdir(folder)) {
      await symlink(join(folder, name), join(workFolder, name))
    }
    const path = join(workFolder, 'target-on-free-ports.yaml')
    await writeFile(path, await onFreePorts(await readFile(join(folder, targetFile), 'utf8')))
    const exchanges = createExchangeLog()
    const checks = selectChecks(await loadChecks(plan), pattern)
    const { env: environment } = process
    const open = await openTargetPlan(plan, path, { exchanges, signal, environment })
    try {
      const runs = await runPlan(open, { checks, exchanges, signal })
      const results = runs.map(({ result }) => result)
      const hops = results.flatMap((result) => result.hops)
      return {
        findings: results.map(findingOf),
        dialect: summarizeDialect(hops, `${plan} under test`).map(({ kind, members }) => ({
          kind,
          members: members.map(({ clause, ...member }) => member),
        })),
      }
    } finally {
      await open.close()
    }
  } finally {
    await rm(workFolder, { recursive: true })
  }
}

function findingOf({ name, title, verdict, check }: ScenarioResult): RecordedFinding {
  const { id = name, level, reason = '', also: others = [] } = check ?? {}
  const found = { id, title, ...(level && { level }), verdict }
  if (verdict === 'passed') return found
  const reasons = [reason, ...others.map((each) => each.reason)].map(withoutChance)
  const [first = '', ...also] = new Set(reasons)
  return { ...found, reason: first, ...(also.length > 0 && { also }) }
}

/** Addresses, names out of chance and what a program says beyond its first line. */
function withoutChance(reason: string): string {
  const steady = reason
    .replace(/http:\/\/127\.0\.0\.1:\d+/g, 'http://HOST')
    .replace(/\/[\w-]{22,}/g, '/…')
    .replace(/(\\n|\n)[\s\S]*/, ' …')
  return steady.length > 240 ? `${steady.slice(0, 240)} …` : steady
}

/** The ports that target files of third-party systems name, 48NN, each replaced by a free one. */
async function onFreePorts(target: string): Promise<string> {
  const named = [...new Set(target.match(/\b48\d\d\b/g))]
  const free = await findFreePorts(named.length)
  return target.replace(/\b48\d\d\b/g, (port) => String(free[named.indexOf(port)]))
}
