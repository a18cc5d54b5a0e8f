import type { Migration } from 'kysely/migration'
import { describe, expect, it, onTestFinished } from 'vitest'
import {
  createLoginLock,
  type LoginLockTables,
  loginLockMigration,
} from '#kit/create-login-lock.ts'
import { openDatabase } from '#kit/database.ts'
import { createTestRuntime } from '#test/support/services.ts'
import { temporaryDatabase } from '#test/support/temporary-folder.ts'

const migrations: Record<string, Migration> = {
  '0001-earlier': {
    up: ({ schema }) => schema.createTable('earlier').addColumn('name', 'text').execute(),
  },
  '0002-login-failures': loginLockMigration('earlier'),
}

const policy = {
  memory: 86_400,
  account: { free: 3, first: 1, longest: 900 },
  address: { free: 20, first: 1, longest: 900 },
}

async function createLock(url = 'sqlite::memory:') {
  let now = 1_800_000_000
  const runtime = createTestRuntime()
  const database = await openDatabase<LoginLockTables>({
    url,
    service: 'test',
    migrations,
    runtime,
  })
  onTestFinished(() => database.destroy())
  const clock = { seconds: () => now, milliseconds: () => now * 1000 }
  const lock = createLoginLock(database, clock, policy)
  return {
    ...lock,
    async rows() {
      const rows = database
        .selectFrom('login_failures')
        .select(({ fn }) => fn.countAll().as('rows'))
      return Number((await rows.executeTakeFirstOrThrow()).rows)
    },
    advance(seconds: number) {
      now += seconds
    },
    /** Fails repeatedly, as soon as an attempt is allowed; returns the wait after each failure. */
    async fail(times: number, attempt = ana) {
      const waits: number[] = []
      for (let failure = 0; failure < times; failure++) {
        expect(await lock.admit(attempt)).toBe(0)
        const wait = await lock.admit(attempt)
        waits.push(wait)
        now += wait
      }
      return waits
    },
  }
}

const ana = { username: 'ana', address: '192.0.2.1' }

describe('createLoginLock', () => {
  it('doubles the wait with each failure of an account at an address, up to a limit', async () => {
    const lock = await createLock()
    // Two attempts are free.
    expect(await lock.admit(ana)).toBe(0)
    expect(await lock.admit(ana)).toBe(0)
    expect(await lock.fail(12)).toEqual([1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 900, 900])
  })

  it('does not count rejected attempts', async () => {
    const lock = await createLock()
    for (let failure = 0; failure < 3; failure++) await lock.admit(ana)
    for (let refused = 0; refused < 50; refused++) expect(await lock.admit(ana)).toBe(1)
    // The address does not count them either: it has 17 failures left.
    for (let name = 0; name < 17; name++) {
      expect(await lock.admit({ ...ana, username: `name ${name}` })).toBe(0)
    }
    lock.advance(1)
    expect(await lock.admit(ana)).toBe(0)
    expect(await lock.admit(ana)).toBe(2)
  })

  it('counts accounts separately, and an address across all accounts', async () => {
    const lock = await createLock()
    for (let name = 0; name < 20; name++) {
      expect(await lock.admit({ ...ana, username: `name ${name}` })).toBe(0)
    }
    expect(await lock.admit({ ...ana, username: 'yet another' })).toBe(1)
    expect(await lock.admit({ username: 'yet another', address: '192.0.2.2' })).toBe(0)
  })

  it('never delays an address because of failures at other addresses', async () => {
    const lock = await createLock()
    for (let host = 0; host < 50; host++) {
      for (let failure = 0; failure < 5; failure++) {
        await lock.admit({ ...ana, address: `198.51.100.${host}` })
      }
    }
    expect(await lock.admit(ana)).toBe(0)
  })

  it('forgets only the failures of an account whose password was right', async () => {
    const lock = await createLock()
    for (let round = 0; round < 15; round++) {
      expect(await lock.admit(ana)).toBe(0)
      expect(await lock.admit(ana)).toBe(0)
      await lock.clear(ana)
    }
    for (let name = 0; name < 19; name++) await lock.admit({ ...ana, username: `name ${name}` })
    expect(await lock.admit(ana)).toBe(0)
    await lock.clear(ana)
    expect(await lock.admit({ ...ana, username: 'the twentieth' })).toBe(0)
    expect(await lock.admit(ana)).toBe(1)
  })

  it('does not shorten the waits of an address that has its own account', async () => {
    const lock = await createLock()
    for (let name = 0; name < 22; name++) {
      await lock.admit({ ...ana, username: `name ${name}` })
      lock.advance(4)
    }
    expect(await lock.admit(ana)).toBe(0)
    await lock.clear(ana)
    expect(await lock.admit({ ...ana, username: 'yet another' })).toBe(8)
  })

  it('admits parallel attempts up to the limit, whether or not their passwords are right', async () => {
    const lock = await createLock()
    const names = Array.from({ length: 25 }, (_, name) => ({ ...ana, username: `name ${name}` }))
    const waits = await Promise.all(names.map((attempt) => lock.admit(attempt)))
    expect(waits.filter((wait) => wait === 0)).toHaveLength(20)
    await Promise.all(names.slice(0, 20).map((attempt) => lock.clear(attempt)))
    expect(await lock.admit(ana)).toBe(0)
  })

  it('keeps a bounded number of rows', async () => {
    const lock = await createLock()
    for (let host = 0; host < 5100; host++) await lock.admit({ ...ana, address: `host ${host}` })
    expect(await lock.rows()).toBe(10_200)
    lock.advance(60)
    expect(await lock.admit(ana)).toBe(0)
    expect(await lock.rows()).toBe(10_002)
    lock.advance(86_401)
    await lock.admit(ana)
    expect(await lock.rows()).toBe(2)
  })

  it('forgets after a day', async () => {
    const lock = await createLock()
    for (let failure = 0; failure < 3; failure++) await lock.admit(ana)
    lock.advance(86_401)
    for (let failure = 0; failure < 3; failure++) expect(await lock.admit(ana)).toBe(0)
    expect(await lock.admit(ana)).toBe(1)
  })

  it('admits one of many simultaneous attempts', async () => {
    const lock = await createLock()
    await lock.fail(6)
    const waits = await Promise.all(Array.from({ length: 12 }, () => lock.admit(ana)))
    expect(waits.filter((wait) => wait === 0)).toHaveLength(1)
  })

  it('survives a restart', async () => {
    const url = temporaryDatabase()
    const before = await createLock(url)
    for (let failure = 0; failure < 3; failure++) await before.admit(ana)
    expect(await (await createLock(url)).admit(ana)).toBe(1)
  })

  it('does not extend a lock-out if the clock was set back', async () => {
    const lock = await createLock()
    for (let failure = 0; failure < 3; failure++) await lock.admit(ana)
    lock.advance(-86_400)
    expect(await lock.admit(ana)).toBeLessThanOrEqual(900)
  })
})
