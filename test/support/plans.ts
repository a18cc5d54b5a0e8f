import { writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { join } from 'node:path'
import type { CheckBase } from '#conformance/kit/check.ts'
import { createExchangeLog } from '#conformance/kit/evidence/exchange-log.ts'
import { loadChecks } from '#conformance/kit/load-checks.ts'
import { openTargetPlan } from '#conformance/kit/open-target-plan.ts'
import { type CheckRun, runPlan } from '#conformance/kit/run-plan.ts'
import { listenForTest } from './servers.ts'
import { createTemporaryFolder } from './temporary-folder.ts'

export interface RegistryPlanRun {
  readonly plan: 'did-registry' | 'tir'
  /** The target file. */
  readonly yaml: string
  /** What `$NAME` in it stands for. */
  readonly environment?: Readonly<Record<string, string>>
  /** Ids; by default all checks. */
  readonly only?: readonly string[]
}

/** Runs a plan with a target file, as the command line does. */
export async function runRegistryPlan({
  plan,
  yaml,
  environment = {},
  only,
}: RegistryPlanRun): Promise<CheckRun[]> {
  const path = join(createTemporaryFolder(), 'target.yaml')
  writeFileSync(path, yaml)
  const exchanges = createExchangeLog()
  const { signal } = new AbortController()
  const open = await openTargetPlan(plan, path, { exchanges, signal, environment })
  try {
    const all = await loadChecks<CheckBase>(plan)
    const checks = all.filter(({ id }) => only === undefined || only.includes(id))
    // That rejections are requested twice is shown once, in run-plan.test.ts.
    return await runPlan(open, { checks, exchanges, signal, once: true })
  } finally {
    await open.close()
  }
}

/** Starts a server whose paths are verbs, and returns its address. A call runs the verb of that name. */
export async function serveVerbs(
  verbs: Readonly<Record<string, () => Promise<void>>>,
): Promise<string> {
  const server = createServer((request, response) => {
    const work = verbs[(request.url ?? '').slice(1)]
    if (work === undefined) return void response.writeHead(404).end()
    work().then(
      () => response.writeHead(204).end(),
      () => response.writeHead(500).end(),
    )
  })
  return listenForTest(server)
}
