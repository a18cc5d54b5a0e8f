import type { Migration } from 'kysely/migration'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { type Database, openDatabase, prepareQuery } from '#kit/database.ts'
import { runCuttable } from '#kit/request-context.ts'
import { createTestRuntime } from '#test/support/services.ts'
import { findPostgres, type RunningPostgres, startPostgres } from '#test/support/start-postgres.ts'

interface Tables {
  counter: { name: string; value: number; note: string | null }
}

interface Changes {
  readonly name: string
  readonly value?: number | undefined
  readonly note?: string | undefined
}

const migrations: Record<string, Migration> = {
  '001-counter': {
    async up(database) {
      await database.schema
        .createTable('counter')
        .addColumn('name', 'text', (column) => column.primaryKey())
        .addColumn('value', 'bigint', (column) => column.notNull())
        .addColumn('note', 'text')
        .execute()
    },
  },
}

async function open(url = 'sqlite::memory:') {
  const runtime = createTestRuntime()
  const database = await openDatabase<Tables>({ url, service: 'counter', migrations, runtime })
  onTestFinished(() => database.destroy())
  return { runtime, database, ...prepareQueries(database) }
}

/** Queries of each kind; `builds` counts how often one is built. */
function prepareQueries(database: Database<Tables>) {
  const builds: string[] = []
  return {
    builds,
    insert: prepareQuery(database, (row: { name: string; value: number; note?: string }) => {
      builds.push('insert')
      return database.insertInto('counter').values({ note: null, ...row })
    }),
    find: prepareQuery(database, ({ name }: { name: string }) => {
      builds.push('find')
      return database.selectFrom('counter').select(['value', 'note']).where('name', '=', name)
    }),
    above: prepareQuery(database, ({ value }: { value: number }) =>
      database.selectFrom('counter').select('name').where('value', '>', value).orderBy('name'),
    ),
    update: prepareQuery(database, ({ name, ...changes }: Changes) => {
      builds.push('update')
      return database.updateTable('counter').set(changes).where('name', '=', name)
    }),
    add: prepareQuery(database, ({ from, count }: { from: number; count: number }) =>
      database
        .updateTable('counter')
        .set((row) => ({ value: row('value', '+', count), note: 'added' }))
        .where('value', '>=', from),
    ),
  }
}

const programs = findPostgres()
let postgres: RunningPostgres | undefined

beforeAll(async () => {
  if (programs) postgres = await startPostgres(programs)
})
afterAll(() => postgres?.stop())

describe.each(['SQLite', 'PostgreSQL'])('a prepared query on %s', (kind) => {
  it('runs with the values of each execution, and is built once', async ({ skip }) => {
    if (kind !== 'SQLite' && !postgres) return skip('PostgreSQL is not installed')
    const url = kind === 'SQLite' ? undefined : postgres?.url
    const { insert, find, above, add, builds } = await open(url)
    expect(await insert.change({ name: 'a', value: 1 })).toBe(1)
    expect(await insert.change({ name: 'b', value: 2 })).toBe(1)
    expect(await find.first({ name: 'a' })).toEqual({ value: 1, note: null })
    expect(await find.first({ name: 'b' })).toEqual({ value: 2, note: null })
    expect(await find.first({ name: 'c' })).toBeUndefined()
    expect(builds).toEqual(['insert', 'find'])
    expect(await add.change({ from: 2, count: 10 })).toBe(1)
    expect(await add.change({ from: 1, count: 5 })).toBe(2)
    expect(await add.change({ from: 100, count: 5 })).toBe(0)
    expect(await find.first({ name: 'b' })).toEqual({ value: 17, note: 'added' })
    expect(await above.all({ value: 0 })).toEqual([{ name: 'a' }, { name: 'b' }])
  })
})

describe('a prepared query', () => {
  it('is built again for values with other names; undefined is absent', async () => {
    const { insert, update, find, builds } = await open()
    await insert.change({ name: 'a', value: 1, note: 'x' })
    await update.change({ name: 'a', value: 2, note: 'y' })
    await update.change({ name: 'a', value: 3, note: undefined })
    await update.change({ name: 'a', value: 4 })
    expect(await find.first({ name: 'a' })).toEqual({ value: 4, note: 'y' })
    expect(builds).toEqual(['insert', 'update', 'update', 'find'])
  })

  it('runs on a transaction that is named, and rolls back with it', async () => {
    const { database, insert, find } = await open()
    const failed = database.transaction().execute(async (transaction) => {
      await insert.change({ name: 'a', value: 1 }, transaction)
      expect(await find.first({ name: 'a' }, transaction)).toEqual({ value: 1, note: null })
      throw new Error('rolled back')
    })
    await expect(failed).rejects.toThrow('rolled back')
    expect(await find.first({ name: 'a' })).toBeUndefined()
  })

  it('waits until the transaction of another caller has ended', async () => {
    const { database, insert, find } = await open()
    await insert.change({ name: 'a', value: 1 })
    const { promise: begun, resolve: begin } = Promise.withResolvers<void>()
    const { promise: end, reject } = Promise.withResolvers<void>()
    const transaction = database.transaction().execute(async (on) => {
      await insert.change({ name: 'b', value: 2 }, on)
      begin()
      await end
    })
    await begun
    const inserted = insert.change({ name: 'c', value: 3 })
    const found = find.first({ name: 'b' })
    reject(new Error('rolled back'))
    await expect(transaction).rejects.toThrow('rolled back')
    expect(await inserted).toBe(1)
    expect(await found).toBeUndefined()
    expect(await find.first({ name: 'c' })).toEqual({ value: 3, note: null })
  })

  it('is unavailable while the fault of its database is on, and works afterwards', async () => {
    const { runtime, insert, find } = await open()
    await insert.change({ name: 'a', value: 1 })
    await find.first({ name: 'a' })
    runtime.activeFaults.add('database-down')
    const unavailable = { code: 'database_unavailable', status: 503 }
    await expect(find.first({ name: 'a' })).rejects.toMatchObject(unavailable)
    await expect(insert.change({ name: 'b', value: 1 })).rejects.toMatchObject(unavailable)
    runtime.activeFaults.delete('database-down')
    expect(await find.first({ name: 'b' })).toBeUndefined()
  })

  it('does not run in work that was cut', async () => {
    const { insert, find } = await open()
    await insert.change({ name: 'a', value: 1 })
    const cut = runCuttable({ isCut: true }, () => insert.change({ name: 'b', value: 1 }))
    await expect(cut).rejects.toMatchObject({ code: 'cut_off' })
    expect(await find.first({ name: 'b' })).toBeUndefined()
  })

  it('rejects a query that depends on a value', async () => {
    const { database } = await open()
    const template = prepareQuery(database, ({ name }: { name: string }) =>
      database.selectFrom('counter').selectAll().where('name', '=', `${name}!`),
    )
    await expect(template.all({ name: 'a' })).rejects.toThrow(TypeError)
    const json = prepareQuery(database, ({ name }: { name: string }) =>
      database
        .selectFrom('counter')
        .selectAll()
        .where('name', '=', JSON.stringify([name])),
    )
    await expect(json.all({ name: 'a' })).rejects.toThrow(TypeError)
  })
})
