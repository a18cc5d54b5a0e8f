import { DatabaseSync } from 'node:sqlite'
import { expect, test } from 'vitest'
import { type Counts, describeSides, kindOf, routeOf, sumCounts } from '../../bench/costs/counts.ts'
import { describeCosts } from '../../bench/costs/measure-costs.ts'
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
  database.exec("insert into people values ('b', 8, 'Bruno'), ('a', 7, 'Ana')")
  multiplyRows(database, 'people', 4)
  expect(
    database
      .prepare('select * from people order by number')
      .all()
      .map((row) => ({ ...row })),
  ).toEqual([
    { id: 'a', number: 7, name: 'Ana' },
    { id: 'b', number: 8, name: 'Bruno' },
    { id: 'a-1', number: 9, name: 'Ana' },
    { id: 'a-2', number: 10, name: 'Ana' },
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

const counts = (changes: Partial<Counts>): Counts => ({
  cpu: 0,
  sqlite: 0,
  answered: {},
  sent: {},
  bytes: 0,
  statements: {},
  signed: 0,
  verified: 0,
  ...changes,
})

test.each([
  ['GET /status?session=abc', 'GET /status'],
  ['GET /api/v1/identifiers/did%3A123?valid-at=1', 'GET /api/v1/identifiers/{did}'],
  ['GET /credentials/status/12', 'GET /credentials/status/{number}'],
  [`GET /attributes/${'0a'.repeat(32)}`, 'GET /attributes/{id}'],
  ['POST /responses/JULWwJR6yioKrXIqk9sAmueOv8xb8ffa', 'POST /responses/{id}'],
  ['POST /trusted-issuers-registry/v1/jsonrpc', 'POST /trusted-issuers-registry/v1/jsonrpc'],
])('counts %s as %s', (request, route) => {
  expect(routeOf(request)).toBe(route)
})

test.each([
  ['select 1', 'reads'],
  ['with a as (select 1) select * from a', 'reads'],
  ['INSERT INTO a VALUES (1)', 'writes'],
  ['begin immediate', 'transactions'],
  ['commit', 'transactions'],
])('counts %s among the %s', (statement, kind) => {
  expect(kindOf(statement)).toBe(kind)
})

test('adds up the counts of the same request', () => {
  const sum = sumCounts([
    counts({ cpu: 1, answered: { 'GET /a': 1 } }),
    counts({ cpu: 2, answered: { 'GET /a': 2, 'GET /b': 1 } }),
  ])
  expect(sum).toEqual(counts({ cpu: 3, answered: { 'GET /a': 3, 'GET /b': 1 } }))
})

test('describes what one operation costs, step by step and in sum', () => {
  const statements = { 'select 1': 4, 'update a set b = 1': 2, begin: 2, commit: 2 }
  const steps = [
    {
      name: 'order',
      counts: counts({ cpu: 6, answered: { 'GET /a/1': 1, 'GET /a/2': 1 } }),
      wall: 9,
    },
    { name: 'deliver', counts: counts({ cpu: 2, statements, signed: 2, bytes: 5000 }), wall: 4 },
  ]
  const [costs, exchanges] = describeCosts('delivery', steps, 2, 3)
  const cells = (name: string) => {
    const row = costs?.rows.find(([first]) => first === name) ?? []
    return Object.fromEntries(row.map((cell, column) => [costs?.columns[column], cell]))
  }
  expect(cells('order')).toMatchObject({ 'CPU ms': '3.00', 'wall ms': '4.50', exchanges: '1.0' })
  expect(cells('deliver')).toMatchObject({
    'SQL reads': '2.0',
    'SQL writes': '1.0',
    'begin, commit': '2.0',
    signed: '1.0',
    kB: '2.5',
  })
  expect(cells('all')).toMatchObject({ 'CPU ms': '4.00', 'wall ms': '6.50', exchanges: '1.0' })
  expect(cells('chain')).toMatchObject({ 'CPU ms': '1.50' })
  expect(exchanges?.rows).toEqual([['1.00', '`GET /a/{number}`']])
})

test('compares how many exchanges and look-ups two sides make', () => {
  const lookups = { 'GET /api/v1/identifiers/did:org:1': 2, 'POST /results': 2 }
  const side = (name: string, exchanges: number) => ({
    name,
    counts: counts({ answered: { 'GET /a': exchanges }, sent: lookups }),
  })
  const [exchanges, found] = describeSides('a login', [side('first', 4), side('peer', 2)], 2)
  expect(exchanges).toMatchObject({ ours: '2.0', peer: '1.0', holds: false })
  expect(found).toMatchObject({ ours: '1.0', peer: '1.0', holds: true })
})
