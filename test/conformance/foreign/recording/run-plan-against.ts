import { mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import type { AddressInfo } from 'node:net'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { PlanName } from '#scenarios/conformance/define-check.ts'
import { createExchangeLog } from '#scenarios/conformance/evidence/create-exchange-log.ts'
import { loadChecks } from '#scenarios/conformance/load-checks.ts'
import { openTargetPlan } from '#scenarios/conformance/open-target-plan.ts'
import { runPlan } from '#scenarios/conformance/run-plan.ts'
import { selectChecks } from '#scenarios/conformance/select-checks.ts'
import type { ScenarioResult } from '#scenarios/harness/z-results.ts'

export interface RunPlanAgainstOptions {
  readonly plan: PlanName
  /** Holds the programs and the target file. */
  readonly folder: string
  readonly targetFile?: string
  readonly pattern?: string | undefined
  readonly signal: AbortSignal
}

/**
 * Runs a plan against the system of a folder, as its target file says but on free ports, so that
 * several run side by side. What the system writes into its folder is gone afterwards.
 */
export async function runPlanAgainst(options: RunPlanAgainstOptions): Promise<ScenarioResult[]> {
  const { plan, folder, targetFile = 'target.yaml', pattern, signal } = options
  const workFolder = await mkdtemp(join(tmpdir(), 'foreign-system-'))
  try {
    for (const name of await readdir(folder))
      await symlink(join(folder, name), join(workFolder, name))
    const path = join(workFolder, 'target-on-free-ports.yaml')
    await writeFile(path, await onFreePorts(await readFile(join(folder, targetFile), 'utf8')))
    const exchanges = createExchangeLog()
    const checks = selectChecks(await loadChecks(plan), pattern)
    const open = await openTargetPlan(plan, path, { exchanges, signal })
    try {
      const runs = await runPlan(open, { checks, exchanges, signal })
      return runs.map(({ result }) => result)
    } finally {
      await open.close()
    }
  } finally {
    await rm(workFolder, { recursive: true })
  }
}

/** The ports that target files of foreign systems name, 48NN, each replaced by a free one. */
async function onFreePorts(target: string): Promise<string> {
  const named = [...new Set(target.match(/\b48\d\d\b/g))]
  const free = await findFreePorts(named.length)
  return target.replace(/\b48\d\d\b/g, (port) => String(free[named.indexOf(port)]))
}

async function findFreePorts(count: number): Promise<number[]> {
  const servers = Array.from({ length: count }, () => createServer().listen(0, '127.0.0.1'))
  await Promise.all(servers.map((server) => new Promise((done) => server.once('listening', done))))
  const ports = servers.map((server) => (server.address() as AddressInfo).port)
  await Promise.all(servers.map((server) => new Promise((done) => server.close(done))))
  return ports
}
