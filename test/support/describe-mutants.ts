import { resolve } from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import type { PlanName } from '#conformance/kit/check.ts'
import { loadChecks } from '#conformance/kit/load-checks.ts'
import { loadMutants } from '#test/conformance/mutation/load-mutants.ts'
import type { MutationOutcome } from '#test/conformance/mutation/run-mutants.ts'
import { runNode } from './processes.ts'

const main = resolve(import.meta.dirname, '../conformance/mutation/main.ts')

/**
 * Each check of a plan holds for the testbed's own part, and each mutant of it is caught by its own
 * check. All of them run in one process: sources are changed when they are loaded, which this test's
 * own process has done already.
 */
export async function describeMutants(plan: PlanName): Promise<void> {
  const [checks, mutants] = await Promise.all([loadChecks(plan), loadMutants(plan)])
  let outcome: MutationOutcome
  beforeAll(async () => {
    const { stdout, stderr } = await runNode([main, plan, '--own', '--json'])
    const found = stdout === '' ? undefined : JSON.parse(stdout)[plan]
    if (found === undefined) throw new Error(`the mutants did not run: ${stderr}`)
    outcome = found
  }, 180_000)

  describe('the correct part', () => {
    it.each(checks.map(({ id, title }) => [id, title]))('passes %s: %s', (id) => {
      const { kind, reason } = outcome.correct.find(({ check }) => check === id) ?? {}
      expect({ kind, reason }).toEqual({ kind: 'held', reason })
    })
  })

  describe('a mutant', () => {
    it.each(mutants.map(({ check, name, deviation }) => [check, deviation, name]))(
      'is caught by %s where it %s',
      (_check, _deviation, name) => {
        const { kind, reason } = outcome.mutants.find((each) => each.name === name)?.own ?? {}
        expect({ kind, reason }).toEqual({ kind: 'broken', reason })
      },
    )
  })
}
