import { join } from 'node:path'
import { type Kysely, sql } from 'kysely'
import type { Migration } from 'kysely/migration'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { createPurge, openDatabase } from '#kit/database.ts'
import { toTestbedError } from '#kit/errors.ts'
import type { Keeper } from '#kit/runtime.ts'
import { createTestRuntime } from '#test/support/services.ts'
import { findPostgres, type RunningPostgres, startPostgres } from '#test/support/start-postgres.ts'
import { createTemporaryFolder, temporaryDatabase } from '#test/support/temporary-folder.ts'

interface Tables {
  counter: { name: string; value: number }
}

const migrations: Record<string, Migration> = {
  '001-counter': {
    async up(database) {
      await database.schema
        .createTable('counter')
        .addColumn('name', 'text', (column) => column.primaryKey())
        .addColumn('value', 'bigint', (column) => column.notNull())
        .execute()
    },
  },
}

async function open(url: string, service = 'counter') {
  const runtime = createTestRuntime()
  const database = await openDatabase<Tables>({ url, service, migrations, runtime })
  return { runtime, database }
}

const memory = 'sqlite::memory:'

describe('a database of a service', () => {
  it('keeps its rows and its schema when it is opened again', async () => {
    const url = `sqlite:${join(createTemporaryFolder(), 'below', 'counter.sqlite')}`
    const first = await open(url)
    await first.database.insertInto('counter').values({ name: 'a', value: 1 }).execute()
    await first.database.destroy()
    const second = await open(url)
    onTestFinished(() => second.database.destroy())
    expect(await second.database.selectFrom('counter').selectAll().execute()).toEqual([
      { name: 'a', value: 1 },
    ])
  })

  it('says what to do if a newer version wrote it', async () => {
    const url = `sqlite:${join(createTemporaryFolder(), 'counter.sqlite')}`
    const { database } = await open(url)
    await sql`insert into kysely_migration values ('002-newer', '2030-01-01')`.execute(database)
    await database.destroy()
    await expect(open(url)).rejects.toMatchObject({
      code: 'migration_failed',
      hints: [expect.stringContaining('newer version')],
    })
  })

  it('isolates concurrent transactions', async () => {
    const { database } = await open(memory)
    onTestFinished(() => database.destroy())
    await database.insertInto('counter').values({ name: 'a', value: 0 }).execute()
    await Promise.all(
      Array.from({ length: 20 }, () =>
        database.transaction().execute(async (transaction) => {
          const { value } = await transaction
            .selectFrom('counter')
            .select('value')
            .executeTakeFirstOrThrow()
          await transaction
            .updateTable('counter')
            .set({ value: value + 1 })
            .execute()
        }),
      ),
    )
    const row = await database.selectFrom('counter').select('value').executeTakeFirstOrThrow()
    expect(row.value).toBe(20)
  })

  it('returns the number of updated rows, on which single use depends', async () => {
    const { database } = await open(memory)
    onTestFinished(() => database.destroy())
    const update = () =>
      database.updateTable('counter').set({ value: 1 }).where('value', '=', 0).executeTakeFirst()
    await database.insertInto('counter').values({ name: 'a', value: 0 }).execute()
    expect((await update()).numUpdatedRows).toBe(1n)
    expect((await update()).numUpdatedRows).toBe(0n)
  })

  it('is unavailable while its fault is on', async () => {
    const { database, runtime } = await open(memory)
    onTestFinished(() => database.destroy())
    runtime.activeFaults.add('database-down')
    await expect(database.selectFrom('counter').selectAll().execute()).rejects.toMatchObject({
      code: 'database_unavailable',
      status: 503,
    })
  })
})

const programs = findPostgres()

describe('a database of a service on PostgreSQL', () => {
  let postgres: RunningPostgres | undefined

  beforeAll(async () => {
    if (programs) postgres = await startPostgres(programs)
  })
  afterAll(() => postgres?.stop())

  it('separates the tables of services in one database', async ({ skip }) => {
    if (!postgres) return skip('PostgreSQL is not installed (apt-get install postgresql)')
    const { url } = postgres
    const services = await Promise.all(['first-part', 'second-part'].map((name) => open(url, name)))
    onTestFinished(async () => {
      await Promise.all(services.map(({ database }) => database.destroy()))
    })
    const [first, second] = services.map(({ database }) => database)
    await first?.insertInto('counter').values({ name: 'a', value: 1 }).execute()
    expect(await second?.selectFrom('counter').selectAll().execute()).toEqual([])
    const { rows } = await sql<{ schemaname: string }>`
      select schemaname from pg_tables where tablename = 'counter' order by schemaname
    `.execute(first as NonNullable<typeof first>)
    expect(rows.map((row) => row.schemaname)).toEqual(['first_part', 'second_part'])
  })

  it('rejects U+0000 in a string as a client error', async ({ skip }) => {
    if (!postgres) return skip('PostgreSQL is not installed (apt-get install postgresql)')
    const { database } = await open(postgres.url, 'zero')
    onTestFinished(() => database.destroy())
    const query = database.selectFrom('counter').selectAll().where('name', '=', 'a\0b').execute()
    const error = toTestbedError(await query.catch((thrown: unknown) => thrown))
    expect(error).toMatchObject({ status: 400, code: 'invalid_request' })
  })

  it('keeps its rows when it is opened again', async ({ skip }) => {
    if (!postgres) return skip('PostgreSQL is not installed (apt-get install postgresql)')
    const first = await open(postgres.url, 'again')
    await first.database
      .insertInto('counter')
      .values({ name: 'a', value: 2 ** 40 })
      .execute()
    await first.database.destroy()
    const second = await open(postgres.url, 'again')
    onTestFinished(() => second.database.destroy())
    expect(await second.database.selectFrom('counter').selectAll().execute()).toEqual([
      { name: 'a', value: 2 ** 40 },
    ])
  })
})

describe('createPurge', () => {
  it('runs at most once a minute, and after the clock was set back', async () => {
    const runs: number[] = []
    let now = 1_000_000
    const clock = { seconds: () => now, milliseconds: () => now * 1000 }
    const purge = createPurge(clock, async (at) => runs.push(at))
    const times = [1_000_000, 1_000_059, 1_000_060, 1_000_061, 999_000]
    for (const time of times) {
      now = time
      await purge()
    }
    expect(runs).toEqual([1_000_000, 1_000_060, 999_000])
  })
})

interface SqliteTables {
  owners: { id: string; 'odd "name"': string | null }
  things: { id: number; owner: string; bytes: Uint8Array | null }
}

async function openTestDatabase(url: string) {
  const keepers: Keeper[] = []
  const runtime = {
    ...createTestRuntime(),
    snapshots: { add: (keeper: Keeper) => void keepers.push(keeper) },
  }
  const database = await openDatabase<SqliteTables>({
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
