import { chmodSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { createTemporaryFolder } from '#test/support/temporary-folder.ts'
import { createRunArchive } from '#testbed/console/runs/run-archive.ts'
import { createSavedTargets } from '#testbed/console/runs/saved-targets.ts'

it('only the owner can read runs and targets, also in a data folder that is open to all', async () => {
  const folder = createTemporaryFolder()
  chmodSync(folder, 0o755)
  const startedAt = '2026-11-30T21:00:00.000Z'
  const tally = { passed: 0, failed: 0, warned: 0, inconclusive: 0, skipped: 0 }
  const id = '20261130-210000-0123ab'
  await createRunArchive(folder).save({
    ...{ id, kind: 'suites', subject: 'self', startedAt, state: 'running', tally },
  })
  await createSavedTargets(folder).save('mine', 'name: mine')
  const modeOf = (path: string) => (statSync(join(folder, path)).mode & 0o777).toString(8)
  expect(['runs', `runs/${id}`, 'targets'].map(modeOf)).toEqual(['700', '700', '700'])
})
