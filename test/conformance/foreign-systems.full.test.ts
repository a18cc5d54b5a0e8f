import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { foreignSystems } from './foreign/recording/foreign-systems.ts'
import { isInstalled } from './foreign/recording/install-program.ts'
import { observeSystem } from './foreign/recording/observe-system.ts'
import { compareRuns, foreignFolder, readRecord } from './foreign/recording/recorded-runs.ts'
import { runPlanAgainst } from './foreign/recording/run-plan-against.ts'

const { signal } = new AbortController()
const verdictsOf = (findings: readonly { readonly id: string; readonly verdict: string }[]) =>
  Object.fromEntries(findings.map(({ id, verdict }) => [id, verdict]))

// Where a verdict has changed: node test/conformance/foreign/record.ts NAME, and read what and why.
describe('the recorded runs of third-party systems', () => {
  for (const system of foreignSystems.filter(({ hasOwnPackages }) => !hasOwnPackages)) {
    // Programs in other languages take a while to start.
    const timeout = system.program ? 400_000 : 120_000
    it(`${system.name} behaves as recorded`, { timeout }, async ({ skip }) => {
      if (system.program && !(await isInstalled(join(foreignFolder, system.name)))) {
        skip(`Not installed: node test/conformance/foreign/record.ts --check ${system.name}`)
      }
      const recorded = await readRecord(system.name)
      expect(compareRuns(recorded, await observeSystem(system, signal))).toEqual([])
    })
  }

  it('a wallet has the same results over commands and over HTTP', async () => {
    const folder = join(foreignFolder, 'oid4vc-ts-wallet')
    const pattern = '^W(01|17|35)-'
    const { findings } = await runPlanAgainst({ plan: 'wallet', pattern }, { folder, signal })
    expect(findings).toHaveLength(3)
    const recorded = verdictsOf((await readRecord('oid4vc-ts-wallet')).findings)
    expect(recorded).toMatchObject(verdictsOf(findings))
  })
})
