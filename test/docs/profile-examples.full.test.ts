import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { createPages } from '../../scripts/profile/examples/create-pages.ts'

const root = join(import.meta.dirname, '../..')

it('has the examples of the profile that a new run generates', async () => {
  for (const [file, page] of await createPages(root)) {
    expect(page, file).toBe(readFileSync(join(root, file), 'utf8'))
  }
})
