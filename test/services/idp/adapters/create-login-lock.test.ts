import { describe, expect, it, onTestFinished } from 'vitest'
import { openDatabase } from '#kit/open-database.ts'
import { createLoginLock } from '#services/idp/adapters/create-login-lock.ts'
import { migrations } from '#services/idp/migrations.ts'
import type { IdpTables } from '#services/idp/tables.ts'
import { createTestRuntime } from '#test/support/create-test-runtime.ts'
import { temporaryDatabase } from '#test/support/temporary-database.ts'

async function createLock(url = 'sqlite::memory:') {
  let now = 1_800_000_000
  const runtime = createTestRuntime()
  const database = await openDatabase<IdpTables>({ url, service: 'idp', migrations, runtime })
  onTestFinished(() => database.destroy())
  const clock = { seconds: () => now, milliseconds: () => now * 1000 }
  const lock = createLoginLock(database, clock)
  return {
    ...lock,
    advance(seconds: number) {
      now += seconds
    },
    /** Fails again and again, each time as soon as it is looked at; the waits after each failure. */
    async fail(times: number, attempt = ana) {
      const waits: number[] = []
      for (let failure = 0; failure < times; failure++) {
        expect(await lock.admit(attempt)).toBe(0)
        const wait = await lock.admit({ ...attempt, address: `${now}.${failure}` })
        waits.push(wait)
        now += wait
      }
      return waits
    },
  }
}

const ana = { username: 'ana', address: '192.0.2.1' }

describe('createLoginLock', () => {
  it('doubles the wait with each failure of an account, up to a quarter of an hour', async () => {
    const lock = await createLock()
    // The first three attempts of anybody are free, so that the second and third count here.
    expect(await lock.admit(ana)).toBe(0)
    expect(await lock.admit(ana)).toBe(0)
    expect(await lock.fail(12)).toEqual([1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 900, 900])
  })

  it('does not count what it refuses', async () => {
    const lock = await createLock()
    for (let failure = 0; failure < 3; failure++) await lock.admit(ana)
    for (let refused = 0; refused < 50; refused++) expect(await lock.admit(ana)).toBe(1)
    lock.advance(1)
    expect(await lock.admit(ana)).toBe(0)
    expect(await lock.admit(ana)).toBe(2)
  })

  it('keeps accounts apart, and counts an address over all of them', async () => {
    const lock = await createLock()
    for (let name = 0; name < 20; name++) {
      expect(await lock.admit({ ...ana, username: `name ${name}` })).toBe(0)
    }
    expect(await lock.admit({ ...ana, username: 'yet another' })).toBe(1)
    expect(await lock.admit({ username: 'yet another', address: '192.0.2.2' })).toBe(0)
  })

  it('forgets an account’s failures once its password was right, not those of the address', async () => {
    const lock = await createLock()
    for (let round = 0; round < 5; round++) {
      expect(await lock.admit(ana)).toBe(0)
      expect(await lock.admit(ana)).toBe(0)
      await lock.clear(ana)
    }
    for (let name = 0; name < 14; name++) await lock.admit({ ...ana, username: `name ${name}` })
    expect(await lock.admit({ ...ana, username: 'the twentieth' })).toBe(0)
    expect(await lock.admit({ ...ana, username: 'the last' })).toBeGreaterThan(0)
  })

  it('forgets after a day', async () => {
    const lock = await createLock()
    for (let failure = 0; failure < 3; failure++) await lock.admit(ana)
    lock.advance(86_401)
    for (let failure = 0; failure < 3; failure++) expect(await lock.admit(ana)).toBe(0)
    expect(await lock.admit(ana)).toBe(1)
  })

  it('gives one of many attempts at the same time the turn', async () => {
    const lock = await createLock()
    await lock.fail(6)
    const waits = await Promise.all(Array.from({ length: 12 }, () => lock.admit(ana)))
    expect(waits.filter((wait) => wait === 0)).toHaveLength(1)
  })

  it('outlives a restart', async () => {
    const url = temporaryDatabase()
    const before = await createLock(url)
    for (let failure = 0; failure < 3; failure++) await before.admit(ana)
    expect(await (await createLock(url)).admit(ana)).toBe(1)
  })

  it('locks nobody out for longer where the clock was set back', async () => {
    const lock = await createLock()
    for (let failure = 0; failure < 3; failure++) await lock.admit(ana)
    lock.advance(-86_400)
    expect(await lock.admit(ana)).toBeLessThanOrEqual(900)
  })
})
