import { expect, test } from 'vitest'
import { describeResult, replaceSection } from '../../bench/page.ts'

test('replaces the section of one measurement only', () => {
  const page = replaceSection(replaceSection('# Page\n', 'start', 'old'), 'login', 'kept')
  const changed = replaceSection(page, 'start', 'new')
  expect(changed).toBe(page.replace('old', 'new'))
  expect(replaceSection(changed, 'start', 'new')).toBe(changed)
})

test('escapes the cells of a table', () => {
  const figure = { what: 'a|b', ours: '1', target: '1 x', holds: false }
  expect(describeResult([figure])).toBe(
    '| what | testbed | peer | ratio | holds |\n| --- | --- | --- | --- | --- |\n| a\\|b | 1 |  | 1 x | no |',
  )
})
