import { type Kysely, sql } from 'kysely'
import { describe, expect, it, onTestFinished } from 'vitest'
import { openDatabase } from '#kit/database.ts'
import type { Keeper } from '#kit/snapshots.ts'
import { createTestRuntime } from '#test/support/services.ts'
import { temporaryDatabase } from '#test/support/temporary-folder.ts'

interface Tables {
  owners: { id: string; 'odd "name"': string | null }
  things: { id: number; owner: string; bytes: Uint8Array | null }
}

async function openTestDatabase(url: string) {
  const keepers: Keeper[] = []
  const runtime = {
    ...createTestRuntime(),
    snapshots: { add: (keeper: Keeper) => void keepers.push(keeper) },
  }
  const database = await openDatabase<Tables>({
    url,
    service: 'test',
    migrations: {
      '1': {
        async up(db: Kysely<unknown>) {
          await sql`create table owners (id text primary key, "odd ""name""" text)`.execute(db)
          await sql`create table things (id integer primary key, owner text not null
            references owners (id) on delete cascade, bytes blob)`.execute(db)
        },
      },
    },
    runtime,
  })
  onTestFinished(() => database.destroy())
  const read = async () => [
    await database.selectFrom('owners').selectAll().orderBy('id').execute(),
    await database.selectFrom('things').selectAll().orderBy('id').execute(),
  ]
  const [keeper] = keepers
  if (keeper?.save === undefined) throw new Error('the database has no keeper')
  return { database, read, save: keeper.save }
}

describe.each([
  ['in memory', () => 'sqlite::memory:'],
  ['in a file', temporaryDatabase],
])('an embedded database %s', (_place, url) => {
  it('can be restored with all its rows and references, any number of times', async () => {
    const { database, read, save } = await openTestDatabase(url())
    await database.insertInto('owners').values({ id: '1', 'odd "name"': null }).execute()
    const bytes = new Uint8Array([0, 255])
    await database.insertInto('things').values({ id: 7, owner: '1', bytes }).execute()
    const before = await read()
    const saved = await save()
    for (const _time of [1, 2]) {
      await database.deleteFrom('owners').execute()
      await database.insertInto('owners').values({ id: '2', 'odd "name"': 'x' }).execute()
      expect(await read()).not.toEqual(before)
      await saved.restore()
      expect(await read()).toEqual(before)
    }
    await saved.forget?.()
    await (await save()).restore()
    expect(await read()).toEqual(before)
  })

  it('waits for an open transaction', async () => {
    const { database, read, save } = await openTestDatabase(url())
    const saved = await save()
    const began = Promise.withResolvers<void>()
    const go = Promise.withResolvers<void>()
    const transaction = database.transaction().execute(async (db) => {
      await db.insertInto('owners').values({ id: '1', 'odd "name"': null }).execute()
      began.resolve()
      await go.promise
    })
    await began.promise
    const restored = saved.restore()
    go.resolve()
    await Promise.all([transaction, restored])
    expect(await read()).toEqual([[], []])
  })
})
