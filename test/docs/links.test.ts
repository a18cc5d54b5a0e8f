import { execFileSync } from 'node:child_process'
import { join, resolve } from 'node:path'
import { describe, expect, it } from 'vitest'
import { findDeadLinks } from '../package/find-dead-links.ts'

const root = resolve(import.meta.dirname, '../..')
const pages = execFileSync('git', ['ls-files', '*.md'], { cwd: root, encoding: 'utf8' })
  .trim()
  .split('\n')

describe('links between the pages of the repository', () => {
  it.each(pages)('%s has no dead one', (page) => {
    expect(findDeadLinks(join(root, page))).toEqual([])
  })
})
