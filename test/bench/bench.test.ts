import { DatabaseSync } from 'node:sqlite'
import { expect, test } from 'vitest'
import { describeResult, replaceSection } from '../../bench/format.ts'
import { multiplyRows } from '../../bench/growth/multiply-rows.ts'
import { compare, judge, median } from '../../bench/harness.ts'
import { describeDurations } from '../../bench/testbed.ts'

test.each([
  [[3, 1, 2], 2],
  [[4, 1, 2, 3], 2.5],
])('the median of %j is %d', (values, expected) => {
  expect(median(values)).toBe(expected)
})

test.each([
  [1.5, { atLeast: 1.5 }, true],
  [1.49, { atLeast: 1.5 }, false],
  [0.6, { atMost: 0.6 }, true],
  [0.61, { atMost: 0.6 }, false],
  [0.1, {}, undefined],
])('a ratio of %d with the target %j', (ratio, target, holds) => {
  expect(judge(ratio, target).holds).toBe(holds)
})

const base = { revision: '12345678', root: '/' }

test('compares durations round by round, not their medians', () => {
  const [absolute, relative] = describeDurations(
    'start',
    [
      [600, 3000, 900],
      [1000, 1000, 3000],
    ],
    800,
    base,
  )
  expect(absolute).toMatchObject({ ours: '0.90 s (slowest 3.00 s)', holds: false })
  expect(relative).toMatchObject({ target: '0.60 x, at most 0.6 x', holds: true })
})

test('measures all sides in turns, with different indexes', async () => {
  const order: string[] = []
  const indexes = new Set<number>()
  const side = (name: string) => ({
    name,
    operation: async (index: number) => {
      indexes.add(index)
      order.push(name)
    },
  })
  const peers = [{ ...side('peer'), atLeast: 1, atConcurrency: 8 }, side('other')]
  const loads = [{ concurrency: 1, operations: 1 }]
  const figures = await compare(
    { unit: 'runs', ours: side('now'), peers, loads, rounds: 2 },
    () => {},
  )
  expect(order.join(' ')).toBe(Array(3).fill('now peer other').join(' '))
  expect(indexes.size).toBe(9)
  expect(figures.map(({ what, holds }) => [what, holds])).toEqual([
    ['runs, concurrency 1, compared with peer', undefined],
    ['runs, concurrency 1, compared with other', undefined],
  ])
})

test('fills a table with copies that differ in every unique column', () => {
  const database = new DatabaseSync(':memory:')
  database.exec('create table people (id text primary key, number integer unique, name text)')
  database.exec("insert into people values ('a', 7, 'Ana')")
  multiplyRows(database, 'people', 4)
  expect(
    database
      .prepare('select * from people order by number')
      .all()
      .map((row) => ({ ...row })),
  ).toEqual([
    { id: 'a', number: 7, name: 'Ana' },
    { id: 'a-1', number: 8, name: 'Ana' },
    { id: 'a-2', number: 9, name: 'Ana' },
    { id: 'a-3', number: 10, name: 'Ana' },
  ])
})

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
