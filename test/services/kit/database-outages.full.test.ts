import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { type Kysely, sql } from 'kysely'
import type { Migration } from 'kysely/migration'
import { beforeEach, describe, expect, it, onTestFinished } from 'vitest'
import { openDatabase } from '#kit/database.ts'
import { startProxy } from '#test/support/servers.ts'
import { createTestRuntime } from '#test/support/services.ts'
import { findPostgres, type RunningPostgres, startPostgres } from '#test/support/start-postgres.ts'
import { createTemporaryFolder } from '#test/support/temporary-folder.ts'

interface Tables {
  counter: { name: string; value: number }
}

const migrations: Record<string, Migration> = {
  '001-counter': {
    async up(database: Kysely<unknown>) {
      await database.schema
        .createTable('counter')
        .addColumn('name', 'text', (column) => column.primaryKey())
        .addColumn('value', 'bigint', (column) => column.notNull())
        .execute()
    },
  },
}

const programs = findPostgres()

const sqliteUrl = () => `sqlite:${join(createTemporaryFolder(), 'below', 'counter.sqlite')}`

async function start(): Promise<RunningPostgres> {
  const postgres = await startPostgres(programs ?? '')
  onTestFinished(() => postgres.stop(), 20_000)
  return postgres
}

async function open(url: string, service = 'outage') {
  const database = await openDatabase<Tables>({
    url,
    service,
    migrations,
    runtime: createTestRuntime(),
  })
  onTestFinished(() => database.destroy(), 20_000)
  const add = (name: string) => database.insertInto('counter').values({ name, value: 1 }).execute()
  const names = async () =>
    (await database.selectFrom('counter').select('name').orderBy('name').execute()).map(
      ({ name }) => name,
    )
  return { database, add, names, check: database.check }
}

/** Writes continuously, in transactions, and returns the result of each write. */
function writeUntil(database: Awaited<ReturnType<typeof open>>['database']) {
  let stopped = false
  const acknowledged: string[] = []
  const failures: { code?: string; status?: number }[] = []
  const write = async (writer: number) => {
    for (let count = 0; !stopped; count += 1) {
      const name = `${writer}-${count}`
      await database
        .transaction()
        .execute(async (transaction) => {
          await transaction.insertInto('counter').values({ name, value: 0 }).execute()
          await transaction
            .updateTable('counter')
            .set({ value: 1 })
            .where('name', '=', name)
            .execute()
        })
        .then(
          () => acknowledged.push(name),
          (error) => failures.push(error),
        )
    }
  }
  const writing = Promise.all(Array.from({ length: 6 }, (_, index) => write(index)))
  return {
    acknowledged,
    failures,
    async stop() {
      stopped = true
      await writing
    },
  }
}

const unavailable = { code: 'database_unavailable', status: 503 }

const codeOf = (work: Promise<unknown>) =>
  work.then(
    () => 'ok',
    (error) => error.code,
  )

describe('PostgreSQL under traffic', () => {
  beforeEach(({ skip }) => {
    if (!programs) skip('PostgreSQL is not installed (apt-get install postgresql)')
  })

  it.each(['fast', 'immediate'] as const)(
    'is stopped (%s) and started again: 503 in between, no acknowledged write is lost',
    async (how) => {
      const postgres = await start()
      const { database, check, names } = await open(postgres.url)
      const traffic = writeUntil(database)
      await expect.poll(() => traffic.acknowledged.length).toBeGreaterThan(50)
      await postgres.halt(how)
      await expect.poll(() => traffic.failures.length).toBeGreaterThan(20)
      expect(await check()).toBe('disconnected')
      await postgres.resume()
      await expect.poll(check).toBe('connected')
      const before = traffic.acknowledged.length
      await expect.poll(() => traffic.acknowledged.length).toBeGreaterThan(before + 20)
      await traffic.stop()
      for (const failure of traffic.failures) expect(failure).toMatchObject(unavailable)
      expect(await names()).toEqual(expect.arrayContaining(traffic.acknowledged))
    },
  )

  it('has its connections terminated repeatedly, even in transactions', async () => {
    const postgres = await start()
    const { database, check, names } = await open(postgres.url)
    const traffic = writeUntil(database)
    const terminate = `
      select count(pg_terminate_backend(pid)) as ended
      from pg_stat_activity where usename = 'services'
    `
    for (let round = 0; round < 5; round += 1) {
      const before = traffic.acknowledged.length
      await expect.poll(() => traffic.acknowledged.length).toBeGreaterThan(before + 10)
      const [row] = await postgres.run(terminate)
      expect(Number(row?.ended)).toBeGreaterThan(0)
    }
    await traffic.stop()
    expect(traffic.failures.length).toBeGreaterThan(0)
    for (const failure of traffic.failures) expect(failure).toMatchObject(unavailable)
    expect(await names()).toEqual(expect.arrayContaining(traffic.acknowledged))
    await expect.poll(check).toBe('connected')
  })

  it('reports that it is read-only, and writes again afterwards', async () => {
    const postgres = await start()
    const { add, check, names } = await open(postgres.url)
    await add('before')
    const readOnly = async (value: 'on' | 'off') => {
      await postgres.run(`alter system set default_transaction_read_only = ${value}`)
      await postgres.run('select pg_reload_conf()')
    }
    await readOnly('on')
    await expect.poll(check).toBe('disconnected')
    expect(await codeOf(add('refused'))).toBe('database_unavailable')
    expect(await names()).toEqual(['before'])
    await readOnly('off')
    await expect.poll(check).toBe('connected')
    await add('after')
    expect(await names()).toEqual(['after', 'before'])
  })

  it('accepts no more connections for a while', async () => {
    const postgres = await start()
    await postgres.run('alter role services connection limit 3')
    const first = await open(postgres.url, 'first')
    const used = "select count(*)::int as used from pg_stat_activity where usename = 'services'"
    const countUsed = async () => (await postgres.run(used))[0]?.used
    // The connection of the start is about to close.
    await expect.poll(countUsed).toBe(0)
    const held = Promise.withResolvers<void>()
    // Each transaction holds a connection.
    const holders = Array.from({ length: 3 }, () =>
      first.database.transaction().execute(async (transaction) => {
        await sql`select 1`.execute(transaction)
        await held.promise
      }),
    )
    await expect.poll(countUsed).toBe(3)
    expect(await codeOf(first.add('one too many'))).toBe('database_unavailable')
    expect(await first.check()).toBe('disconnected')
    held.resolve()
    await Promise.all(holders)
    await expect.poll(first.check).toBe('connected')
    await first.add('one')
  })

  it('does not answer on open connections: requests time out', async () => {
    const postgres = await start()
    const proxy = await startProxy(Number(new URL(postgres.url).port))
    const url = new URL(postgres.url)
    url.port = String(proxy.port)
    url.searchParams.set('query_timeout', '3000')
    const { add, check, names } = await open(url.href)
    await add('before')
    proxy.hold()
    expect(await codeOf(add('lost'))).toBe('database_unavailable')
    expect(await check()).toBe('disconnected')
    proxy.release()
    await expect.poll(check).toBe('connected')
    await add('after')
    expect(await names()).toEqual(expect.arrayContaining(['after', 'before']))
  })

  it('is not running yet when a service starts', async () => {
    const postgres = await start()
    await postgres.halt('fast')
    const opening = open(postgres.url)
    await postgres.resume()
    await (await opening).add('one')
  })

  it.each([
    [
      'refuses connections',
      (port: number) => `postgres://x:hidden@127.0.0.1:${port}/y`,
      'ECONNREFUSED',
    ],
    [
      'has no such database',
      (port: number) => `postgres://services@127.0.0.1:${port}/none`,
      '"none"',
    ],
  ])(
    'the error for a server that %s contains its address, but not the password',
    async (_, urlOf, reason) => {
      const postgres = await start()
      if (reason === 'ECONNREFUSED') await postgres.halt('fast')
      const url = `${urlOf(Number(new URL(postgres.url).port))}?connect_timeout=0`
      const error = await open(url).catch((thrown) => thrown)
      expect(error).toMatchObject({ code: 'database_unreachable' })
      expect(error.message).toContain(`127.0.0.1:${new URL(url).port}`)
      expect(error.message).toContain(reason)
      expect(error.message).not.toContain('hidden')
    },
  )

  it('gets its schema once from ten services that start at the same time', async () => {
    const postgres = await start()
    const opened = await Promise.all(Array.from({ length: 10 }, () => open(postgres.url, 'same')))
    await Promise.all(opened.map(({ add }, index) => add(String(index))))
    expect(await opened[0]?.names()).toHaveLength(10)
  })
})

describe('an embedded database', () => {
  it('is full: 503, also in the health, and writable again once there is space', async () => {
    const { database, add, check, names } = await open(sqliteUrl())
    await add('before')
    const limitPages = (pages: number) =>
      sql.raw(`pragma max_page_count = ${pages}`).execute(database)
    await limitPages(1)
    const failed = add('x'.repeat(100_000)).catch((error) => error)
    expect(await failed).toMatchObject({
      ...unavailable,
      cause: { errstr: 'database or disk is full' },
    })
    expect(await check()).toBe('disconnected')
    const inTransaction = database.transaction().execute(async (transaction) => {
      await transaction
        .insertInto('counter')
        .values({ name: 'y'.repeat(9999), value: 1 })
        .execute()
    })
    expect(await codeOf(inTransaction)).toBe('database_unavailable')
    expect(await names()).toEqual(['before'])
    await limitPages(100_000)
    expect(await check()).toBe('connected')
    await add('after')
    expect(await names()).toEqual(['after', 'before'])
  })

  it('is locked by another program beyond its timeout', async () => {
    const url = sqliteUrl()
    const { add, check } = await open(url)
    const other = new DatabaseSync(url.slice('sqlite:'.length))
    onTestFinished(() => other.close())
    other.exec('begin immediate')
    expect(await codeOf(add('locked'))).toBe('database_unavailable')
    other.exec('rollback')
    expect(await check()).toBe('connected')
    await add('free')
  })

  it.each([
    [
      'is not a database',
      'database_damaged',
      (file: string) => writeFileSync(file, 'x'.repeat(5000)),
    ],
    ['is a folder', 'database_refused', (file: string) => mkdirSync(file)],
    [
      'is below a file',
      'database_refused',
      (file: string) => {
        rmSync(dirname(file), { recursive: true })
        writeFileSync(dirname(file), '')
      },
    ],
  ])('is rejected with its name if the file %s', async (_, code, damage) => {
    const url = sqliteUrl()
    const file = url.slice('sqlite:'.length)
    mkdirSync(dirname(file))
    damage(file)
    const error = await open(url).catch((thrown) => thrown)
    expect(error).toMatchObject({ code })
    expect(error.message).toContain(file)
    expect(error.hints).not.toEqual([])
  })
})
