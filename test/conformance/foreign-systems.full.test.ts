import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { compareRuns } from './foreign/recording/compare-runs.ts'
import { createPages, pagesFolder } from './foreign/recording/create-pages.ts'
import { foreignSystems } from './foreign/recording/foreign-systems.ts'
import { foreignFolder, observeSystem } from './foreign/recording/observe-system.ts'
import { readRecord } from './foreign/recording/read-record.ts'
import { runPlanAgainst } from './foreign/recording/run-plan-against.ts'

const { signal } = new AbortController()
const verdictsOf = (findings: readonly { readonly id: string; readonly verdict: string }[]) =>
  Object.fromEntries(findings.map(({ id, verdict }) => [id, verdict]))

// Where a verdict has changed: node test/conformance/foreign/record.ts NAME, and read what and why.
describe('the recorded runs of third-party systems', () => {
  for (const system of foreignSystems.filter(({ hasOwnPackages }) => !hasOwnPackages)) {
    it(`${system.name} behaves as recorded`, { timeout: 120_000 }, async () => {
      const recorded = await readRecord(system.name)
      expect(compareRuns(recorded, await observeSystem(system, signal))).toEqual([])
    })
  }

  it('a wallet has the same results over commands and over HTTP', {
    timeout: 120_000,
  }, async () => {
    const folder = join(foreignFolder, 'oid4vc-ts-wallet')
    const pattern = '^W(01|17|35)-'
    const { findings } = await runPlanAgainst({ plan: 'wallet', pattern }, { folder, signal })
    expect(findings).toHaveLength(3)
    const recorded = verdictsOf((await readRecord('oid4vc-ts-wallet')).findings)
    expect(recorded).toMatchObject(verdictsOf(findings))
  })
})

describe('the pages about third-party systems', () => {
  it('are generated from the records', async () => {
    for (const [file, page] of Object.entries(await createPages())) {
      expect(await readFile(join(pagesFolder, file), 'utf8'), file).toBe(page)
    }
  })

  it('give the reason for each failed check', async () => {
    for (const { name, notes } of foreignSystems) {
      const { findings } = await readRecord(name)
      const broken = findings.filter(({ verdict }) => ['failed', 'warned'].includes(verdict))
      const explained = notes.flatMap(({ checks }) => checks)
      expect(
        broken.map(({ id }) => id).filter((id) => !explained.includes(id)),
        name,
      ).toEqual([])
    }
  })
})
