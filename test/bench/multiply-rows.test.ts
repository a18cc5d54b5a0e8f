import { DatabaseSync } from 'node:sqlite'
import { expect, test } from 'vitest'
import { multiplyRows } from '../../bench/growth/multiply-rows.ts'

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
