import { join } from 'node:path'
import type { Migration } from 'kysely/migration'
import { describe, expect, it, onTestFinished } from 'vitest'
import { openDatabase } from '#kit/open-database.ts'
import { createTestRuntime } from '#test/support/create-test-runtime.ts'
import { createTemporaryFolder } from '#test/support/temporary-folder.ts'

interface Tables {
  counter: { name: string; value: number }
}

const migrations: Record<string, Migration> = {
  '001-counter': {
    async up(database) {
      await database.schema
        .createTable('counter')
        .addColumn('name', 'text', (column) => column.primaryKey())
        .addColumn('value', 'integer', (column) => column.notNull())
        .execute()
    },
  },
}

async function open(url = 'sqlite::memory:') {
  const runtime = createTestRuntime()
  const database = await openDatabase<Tables>({ url, service: 'counter', migrations, runtime })
  return { runtime, database }
}

describe('a database of a service', () => {
  it('keeps what was written, and its schema, when it is opened again', async () => {
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

  it('keeps transactions that run at the same time apart', async () => {
    const { database } = await open()
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

  it('tells how many rows an update met, which single use rests on', async () => {
    const { database } = await open()
    onTestFinished(() => database.destroy())
    const update = () =>
      database.updateTable('counter').set({ value: 1 }).where('value', '=', 0).executeTakeFirst()
    await database.insertInto('counter').values({ name: 'a', value: 0 }).execute()
    expect((await update()).numUpdatedRows).toBe(1n)
    expect((await update()).numUpdatedRows).toBe(0n)
  })

  it('is out of reach while its fault is on', async () => {
    const { database, runtime } = await open()
    onTestFinished(() => database.destroy())
    runtime.activeFaults.add('database-down')
    await expect(database.selectFrom('counter').selectAll().execute()).rejects.toMatchObject({
      code: 'database_unavailable',
      status: 503,
    })
  })
})
