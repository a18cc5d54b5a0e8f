import { mkdirSync } from 'node:fs'
import { dirname } from 'node:path'
import { type Dialect, Kysely, type KyselyPlugin, PostgresDialect, SqliteDialect } from 'kysely'
import { type Migration, Migrator } from 'kysely/migration'
import { TestbedError } from '#core/errors/testbed-error.ts'
import { createSqliteKeeper } from '#kit/create-sqlite-keeper.ts'
import { refuseCutWork } from '#kit/cut-work.ts'
import type { FaultName } from '#kit/faults.ts'
import type { Log } from '#kit/log.ts'
import type { Runtime } from '#kit/runtime.ts'
import { type OpenedSqlite, openSqlite } from '#kit/sqlite-database.ts'

export interface DatabaseOptions {
  /** `sqlite::memory:`, `sqlite:/path/to/file` or `postgres://…`. */
  readonly url: string
  /** Name of the service: with PostgreSQL its tables live in a schema of this name. */
  readonly service: string
  /** Run at start, in the order of their names, under a lock. */
  readonly migrations: Readonly<Record<string, Migration>>
  readonly runtime: Runtime
  /** Fault that makes the database look unreachable. Default: `database-down`. */
  readonly fault?: FaultName
}

/** A database that looks unreachable while the fault is on, and to work that was cut. */
function failWhile(runtime: Runtime, fault: FaultName): KyselyPlugin {
  return {
    transformQuery({ node }) {
      refuseCutWork()
      if (runtime.faults.isActive(fault)) {
        throw new TestbedError({
          code: 'database_unavailable',
          status: 503,
          message: 'The service cannot reach its database. Try again later.',
          detail: `injected fault ${fault}`,
        })
      }
      return node
    },
    transformResult: async ({ result }) => result,
  }
}

async function postgresDialect(url: string, schema: string, log: Log): Promise<Dialect> {
  const { Pool, types } = await import('pg')
  // 64-bit integers come back as text by default; ours are times and counts below 2^53.
  types.setTypeParser(types.builtins.INT8, Number)
  const pool = new Pool({
    connectionString: url,
    options: `-c search_path=${schema}`,
    max: 10,
  })
  // A server that goes away ends idle connections; unheard, that would end this process too.
  pool.on('error', (error) => log.warn({ err: error }, 'an idle database connection ended'))
  await pool.query(`create schema if not exists "${schema}"`)
  return new PostgresDialect({ pool })
}

function openSqliteAt(path: string): OpenedSqlite {
  if (path !== ':memory:') mkdirSync(dirname(path), { recursive: true })
  return openSqlite(path)
}

/**
 * Opens a service's database and brings its schema up to date.
 * @throws TestbedError `migration_failed`
 */
export async function openDatabase<Schema>(options: DatabaseOptions): Promise<Kysely<Schema>> {
  const { url, service, runtime, fault = 'database-down' } = options
  const schema = service.replaceAll('-', '_')
  const sqlite = url.startsWith('sqlite:') ? openSqliteAt(url.slice('sqlite:'.length)) : undefined
  const dialect =
    sqlite === undefined
      ? await postgresDialect(url, schema, runtime.log)
      : new SqliteDialect({ database: sqlite })
  const database = new Kysely<Schema>({ dialect })
  const migrator = new Migrator({
    db: database,
    provider: { getMigrations: async () => ({ ...options.migrations }) },
    // Without it, the tables of another service's schema in the same database would pass for ours.
    ...(sqlite === undefined && { migrationTableSchema: schema }),
  })
  const { error } = await migrator.migrateToLatest()
  if (error !== undefined) {
    await database.destroy()
    throw new TestbedError({
      code: 'migration_failed',
      status: 500,
      message: `The database of ${service} could not be brought up to date.`,
      cause: error,
    })
  }
  if (sqlite !== undefined) runtime.snapshots.add(createSqliteKeeper(database, sqlite.native))
  return database.withPlugin(failWhile(runtime, fault))
}
