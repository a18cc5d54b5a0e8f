import { globSync, readFileSync, statSync } from 'node:fs'
import { basename, join, resolve } from 'node:path'
import { expect, it } from 'vitest'
import { createTemporaryFolder } from '#test/support/temporary-folder.ts'
import { takePictures } from '../../scripts/documentation/take-pictures.ts'
import { createPages } from '../../scripts/profile/examples/create-pages.ts'

const root = resolve(import.meta.dirname, '../..')

it('the pictures of the documentation are those that a browser takes', {
  timeout: 480_000,
}, async () => {
  const folder = createTemporaryFolder()
  const taken = await takePictures(folder)
  const kept = globSync('docs/pictures/*.webp', { cwd: root }).map((path) =>
    basename(path, '.webp'),
  )
  expect(taken.toSorted()).toEqual(kept.toSorted())
  // A picture of an empty page has about 8 KB.
  for (const name of taken)
    expect(statSync(join(folder, `${name}.webp`)).size).toBeGreaterThan(12_000)
})

it('each picture is shown on a page', () => {
  const pages = globSync(['README.md', 'docs/**/*.md'], { cwd: root })
  const text = pages.map((page) => readFileSync(join(root, page), 'utf8')).join('\n')
  const unused = globSync('docs/pictures/*', { cwd: root }).filter(
    (path) => !text.includes(`pictures/${basename(path)}`),
  )
  expect(unused).toEqual([])
})

it('has the examples of the profile that a new run generates', async () => {
  for (const [file, page] of await createPages(root)) {
    expect(page, file).toBe(readFileSync(join(root, file), 'utf8'))
  }
})
