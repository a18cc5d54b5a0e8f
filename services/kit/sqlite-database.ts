import { DatabaseSync, type SQLInputValue, type StatementSync } from 'node:sqlite'
import type { SqliteDatabase } from 'kysely'

const cachedStatements = 200

const toSql = (value: unknown): SQLInputValue => {
  if (value === undefined) return null
  if (typeof value === 'boolean') return value ? 1 : 0
  return value as SQLInputValue
}

/** A database as Kysely wants it, with the one beneath for what Kysely has no words for. */
export interface OpenedSqlite extends SqliteDatabase {
  readonly native: DatabaseSync
}

/**
 * Opens `node:sqlite` in the shape that Kysely's SQLite dialect expects.
 * @param path a file, or `:memory:`
 */
export function openSqlite(path: string): OpenedSqlite {
  const database = new DatabaseSync(path)
  // Write-ahead logging survives the end of the process at any point; what a commit has answered
  // is in the log file by then. Foreign keys are off in SQLite unless asked for.
  database.exec('PRAGMA journal_mode = WAL')
  database.exec('PRAGMA synchronous = NORMAL')
  database.exec('PRAGMA foreign_keys = ON')
  database.exec('PRAGMA busy_timeout = 5000')
  // Whether a statement gives rows is kept beside it: asking costs as much as some statements.
  const statements = new Map<string, { statement: StatementSync; reader: boolean }>()

  const prepare = (sql: string) => {
    const known = statements.get(sql)
    if (known !== undefined) return known
    const statement = database.prepare(sql)
    const prepared = { statement, reader: statement.columns().length > 0 }
    if (statements.size >= cachedStatements) statements.clear()
    statements.set(sql, prepared)
    return prepared
  }

  return {
    native: database,
    close() {
      statements.clear()
      database.close()
    },
    prepare(sql) {
      const { statement, reader } = prepare(sql)
      return {
        reader,
        all: (parameters) => statement.all(...parameters.map(toSql)),
        run: (parameters) => statement.run(...parameters.map(toSql)),
        iterate: (parameters) => statement.iterate(...parameters.map(toSql)),
      }
    },
  }
}
