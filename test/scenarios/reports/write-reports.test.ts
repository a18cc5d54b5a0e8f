import { mkdirSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { writeWhole } from '#scenarios/reports/write-reports.ts'
import { createTemporaryFolder } from '#test/support/temporary-folder.ts'

it('leaves no unfinished file if a report cannot be written', async () => {
  const folder = createTemporaryFolder()
  // A file cannot replace a folder with content.
  mkdirSync(join(folder, 'index.html'))
  writeFileSync(join(folder, 'index.html', 'other'), '')
  await expect(writeWhole(join(folder, 'index.html'), '<p>')).rejects.toThrow()
  expect(readdirSync(folder)).toEqual(['index.html'])
})
