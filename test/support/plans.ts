import { writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { join, resolve } from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import type { CheckBase, PlanName } from '#conformance/kit/check.ts'
import { createExchangeLog } from '#conformance/kit/evidence/exchange-log.ts'
import { loadChecks } from '#conformance/kit/load-checks.ts'
import { openTargetPlan } from '#conformance/kit/open-target-plan.ts'
import { type CheckRun, runPlan } from '#conformance/kit/run-plan.ts'
import { loadMutants } from '#test/conformance/mutation/load-mutants.ts'
import type { MutationOutcome } from '#test/conformance/mutation/run-mutants.ts'
import { runNode } from './processes.ts'
import { listenForTest } from './servers.ts'
import { createTemporaryFolder } from './temporary-folder.ts'

const main = resolve(import.meta.dirname, '../conformance/mutation/main.ts')

/**
 * The testbed's own part passes each check of a plan, and each mutant is detected by its own check.
 * All of them run in one separate process: sources are changed when they are loaded, which the
 * process of this test has already done.
 */
export async function describeMutants(plan: PlanName): Promise<void> {
  const [checks, mutants] = await Promise.all([loadChecks(plan), loadMutants(plan)])
  let outcome: MutationOutcome
  beforeAll(async () => {
    const { stdout, stderr } = await runNode([main, plan, '--own', '--json'])
    const found = stdout === '' ? undefined : JSON.parse(stdout)[plan]
    if (found === undefined) throw new Error(`the mutants did not run: ${stderr}`)
    outcome = found
  }, 400_000)

  describe('the correct part', () => {
    it.each(checks.map(({ id, title }) => [id, title]))('passes %s: %s', (id) => {
      const { kind, reason } = outcome.correct.find(({ check }) => check === id) ?? {}
      expect({ kind, reason }).toEqual({ kind: 'held', reason })
    })
  })

  describe('a mutant', () => {
    it.each(mutants.map(({ check, name, deviation }) => [check, deviation, name]))(
      'is detected by %s if it %s',
      (_check, _deviation, name) => {
        const { kind, reason } = outcome.mutants.find((each) => each.name === name)?.own ?? {}
        expect({ kind, reason }).toEqual({ kind: 'broken', reason })
      },
    )
  })
}

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
