import { expect, test } from 'vitest'
import { type Counts, describeSides, kindOf, routeOf, sumCounts } from '../../bench/costs/counts.ts'
import { describeCosts } from '../../bench/costs/measure-costs.ts'

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
