import { writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import type { CheckBase } from '#conformance/kit/check.ts'
import { createExchangeLog } from '#conformance/kit/evidence/exchange-log.ts'
import { loadChecks } from '#conformance/kit/load-checks.ts'
import { openTargetPlan } from '#conformance/kit/open-target-plan.ts'
import { type CheckRun, runPlan } from '#conformance/kit/run-plan.ts'
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

/** Runs a plan against a target file, as the command line does. */
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
    return await runPlan(open, { checks, exchanges, signal })
  } finally {
    await open.close()
  }
}

/** A server whose paths are verbs: calling one does the work of its name. Gives its address. */
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
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}
