import { closeSync, existsSync, openSync } from 'node:fs'
import { DatabaseSync, type SQLInputValue, type StatementSync } from 'node:sqlite'
import type { Kysely, QueryResult, SqliteDatabase } from 'kysely'
import { keepNewest } from '#core/memory/keep-newest.ts'
import { databaseUnavailable } from './errors.ts'
import { restrictAccess } from './files.ts'
import type { Keeper } from './runtime.ts'

const cachedStatements = 200

const toSql = (value: unknown): SQLInputValue => {
  if (value === undefined) return null
  if (typeof value === 'boolean') return value ? 1 : 0
  return value as SQLInputValue
}

/**
 * Primary result codes of errors that the file or the machine causes, not the statement: busy,
 * locked, out of memory, read-only, input or output, corrupt, full, cannot open, locking protocol,
 * not a database.
 */
const outageCodes = new Set([5, 6, 7, 8, 10, 11, 13, 14, 15, 26])

/** Whether the error of SQLite has a cause outside of the statement. */
function isSqliteOutage(error: unknown): boolean {
  const { errcode } = (error ?? {}) as { errcode?: unknown }
  return typeof errcode === 'number' && outageCodes.has(errcode & 0xff)
}

/**
 * A database in the form that Kysely expects, with the native one for features that Kysely lacks.
 */
export interface OpenedSqlite extends SqliteDatabase {
  readonly native: DatabaseSync
  /**
   * Executes a statement now; undefined during a transaction, whose owner has the connection. Kysely
   * waits for its connection at every statement, which takes longer than many statements.
   */
  executeNow(sql: string, parameters: readonly unknown[]): QueryResult<unknown> | undefined
}

/** SQLite creates the files next to a database with the mode of the database. */
function keepPrivate(path: string): void {
  if (!existsSync(path)) closeSync(openSync(path, 'a', 0o600))
  for (const suffix of ['', '-wal', '-shm']) restrictAccess(path + suffix, 0o600)
}

/**
 * Opens `node:sqlite` in the form that Kysely's SQLite dialect expects.
 * @param path a file, or `:memory:`
 * @param onOutage called for every statement that fails with `database_unavailable`
 */
export function openSqlite(path: string, onOutage: () => void): OpenedSqlite {
  if (path !== ':memory:') keepPrivate(path)
  const database = new DatabaseSync(path)
  // With write-ahead logging, committed changes survive the end of the process at any point. SQLite
  // only enforces foreign keys on request.
  database.exec('PRAGMA journal_mode = WAL')
  database.exec('PRAGMA synchronous = NORMAL')
  // A checkpoint waits for the disk. Of a page that many commits change, it writes one version.
  database.exec('PRAGMA wal_autocheckpoint = 4000')
  // 512 KiB: the system caches the file as well, and a testbed has eight databases open.
  database.exec('PRAGMA cache_size = -512')
  database.exec('PRAGMA foreign_keys = ON')
  database.exec('PRAGMA busy_timeout = 5000')
  // Caches whether a statement returns rows: the query costs as much as some statements.
  const keep = keepNewest<{ statement: StatementSync; reader: boolean }>(cachedStatements)

  const prepare = (sql: string) =>
    keep(sql, () => {
      const statement = database.prepare(sql)
      return { statement, reader: statement.columns().length > 0 }
    })

  const guarded = <T>(run: () => T): T => {
    try {
      return run()
    } catch (error) {
      if (!isSqliteOutage(error)) throw error
      onOutage()
      throw databaseUnavailable(path, error)
    }
  }
  const nothing = { changes: 0, lastInsertRowid: 0 }

  return {
    native: database,
    executeNow(sql, parameters) {
      if (database.isTransaction) return undefined
      return guarded(() => {
        const { statement, reader } = prepare(sql)
        const values = parameters.map(toSql)
        if (reader) return { rows: statement.all(...values) }
        return { rows: [], numAffectedRows: BigInt(statement.run(...values).changes) }
      })
    },
    close: () => database.close(),
    prepare(sql) {
      const { statement, reader } = guarded(() => prepare(sql))
      return {
        reader,
        all: (parameters) => guarded(() => statement.all(...parameters.map(toSql))),
        run(parameters) {
          // SQLite rolls back automatically if it runs out of space.
          if (sql === 'rollback' && !database.isTransaction) return nothing
          return guarded(() => statement.run(...parameters.map(toSql)))
        },
        iterate: (parameters) => statement.iterate(...parameters.map(toSql)),
      }
    },
  }
}

const quote = (name: string) => `"${name.replaceAll('"', '""')}"`

/**
 * Saves the rows of all tables of an embedded database, file or memory, in an attached temporary
 * database. Restores them in one transaction: a file contains either the old or the restored state,
 * whenever the process ends. Prepared statements stay prepared.
 */
export function createSqliteKeeper<Schema>(database: Kysely<Schema>, native: DatabaseSync): Keeper {
  let saved = 0
  /** Numbers of the copies that are kept. */
  const kept = new Set<number>()

  // Kysely has one connection, and its owner is never inside another caller's transaction.
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
      // Tables are cleared and filled one by one.
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
      const number = ++saved
      const copies = new Map<string, string>()
      await withConnection(() => {
        if (kept.size === 0) {
          native.exec("attach database '' as saved")
          // 64 KiB: each row is written once, and rarely read.
          native.exec('pragma saved.cache_size = -64')
        }
        kept.add(number)
        for (const table of listTables()) {
          const copy = `saved.${quote(`${number}/${table}`)}`
          native.exec(`create table ${copy} as select * from main.${quote(table)}`)
          copies.set(`main.${quote(table)}`, copy)
        }
      })
      return {
        restore: () =>
          withConnection(() =>
            inTransaction(() => {
              // Clears all tables first: a cascading delete would remove restored rows.
              for (const table of copies.keys()) native.exec(`delete from ${table}`)
              for (const [table, copy] of copies) {
                native.exec(`insert into ${table} select * from ${copy}`)
              }
            }),
          ),
        forget: () =>
          withConnection(() => {
            kept.delete(number)
            // It keeps the memory of dropped tables.
            if (kept.size === 0) native.exec('detach database saved')
            else for (const copy of copies.values()) native.exec(`drop table ${copy}`)
          }),
      }
    },
  }
}
