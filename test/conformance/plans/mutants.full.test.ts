import { resolve } from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import { planNames } from '#conformance/kit/check.ts'
import { loadChecks } from '#conformance/kit/load-checks.ts'
import { loadMutants } from '#test/conformance/mutation/install-mutants.ts'
import type { MutationOutcome } from '#test/conformance/mutation/run-mutants.ts'
import { runNode } from '#test/support/processes.ts'

const main = resolve(import.meta.dirname, '../mutation/main.ts')

// The testbed's own part passes each check of a plan, and each mutant is detected by its own check.
// All of a plan run in one separate process: sources are changed when they are loaded, which the
// process of this test has already done.
describe.each(planNames)('%s', async (plan) => {
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
})
