import type { DatabaseSync } from 'node:sqlite'
import type { Kysely } from 'kysely'
import type { Keeper } from '#kit/snapshots.ts'

const quote = (name: string) => `"${name.replaceAll('"', '""')}"`

/**
 * Saves the rows of all tables of an embedded database, file or memory, in a second database in
 * memory that is attached to it. Rows are put back in one transaction: a file holds the old state
 * or the restored one, whenever the process ends. Statements that are prepared stay so.
 */
export function createSqliteKeeper<Schema>(database: Kysely<Schema>, native: DatabaseSync): Keeper {
  let isAttached = false
  let saved = 0

  // Kysely has one connection, and whoever has it is in no transaction of somebody else.
  const withConnection = (work: () => void) => database.connection().execute(async () => work())

  const listTables = (): string[] =>
    native
      .prepare(
        "select name from main.sqlite_schema where type = 'table' and name not like 'sqlite_%'",
      )
      .all()
      .map(({ name }) => String(name))

  const inTransaction = (work: () => void) => {
    native.exec('begin immediate')
    try {
      // Tables are emptied and filled one after the other.
      native.exec('pragma defer_foreign_keys = on')
      work()
      native.exec('commit')
    } catch (error) {
      native.exec('rollback')
      throw error
    }
  }

  return {
    async save() {
      saved += 1
      const copies = new Map<string, string>()
      await withConnection(() => {
        if (!isAttached) native.exec("attach database ':memory:' as saved")
        isAttached = true
        for (const table of listTables()) {
          const copy = `saved.${quote(`${saved}/${table}`)}`
          native.exec(`create table ${copy} as select * from main.${quote(table)}`)
          copies.set(`main.${quote(table)}`, copy)
        }
      })
      return {
        restore: () =>
          withConnection(() =>
            inTransaction(() => {
              // All are emptied first: what deletes its references would delete what was put back.
              for (const table of copies.keys()) native.exec(`delete from ${table}`)
              for (const [table, copy] of copies) {
                native.exec(`insert into ${table} select * from ${copy}`)
              }
            }),
          ),
        forget: () =>
          withConnection(() => {
            for (const copy of copies.values()) native.exec(`drop table ${copy}`)
          }),
      }
    },
  }
}
