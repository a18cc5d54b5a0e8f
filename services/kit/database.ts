import { mkdirSync } from 'node:fs'
import { dirname } from 'node:path'
import {
  type Compilable,
  type CompiledQuery,
  Kysely,
  type KyselyPlugin,
  PostgresDialect,
  type QueryExecutorProvider,
  type QueryResult,
  SqliteDialect,
  sql,
} from 'kysely'
import { type Migration, Migrator } from 'kysely/migration'
import { isTestbedError } from '#core/errors/testbed-error.ts'
import { databaseUnavailable, migrationFailed, unusableDatabaseFile } from './errors.ts'
import { refuseCutWork } from './request-context.ts'
import type { Clock, FaultName, Runtime } from './runtime.ts'
import { createSqliteKeeper, type OpenedSqlite, openSqlite } from './sqlite-database.ts'

export interface DatabaseOptions {
  /** `sqlite::memory:`, `sqlite:/path/to/file` or `postgres://…`. */
  readonly url: string
  /** Name of the service: with PostgreSQL its tables live in a schema of this name. */
  readonly service: string
  /** Run at start, in order of their names, under a lock. */
  readonly migrations: Readonly<Record<string, Migration>>
  readonly runtime: Runtime
  /** Fault that makes the database look unreachable. Default: `database-down`. */
  readonly fault?: FaultName
}

/** A service's database. */
export type Database<Schema> = Kysely<Schema> & {
  /**
   * Checks that it can be read and written now; `disconnected` also if it does not respond in time.
   */
  readonly check: () => Promise<'connected' | 'disconnected'>
} & Partial<Pick<OpenedSqlite, 'executeNow'>>

/** Longer than a working database takes, shorter than clients of `/health` wait. */
const checkLimit = 2000

/** Makes the database look unreachable while the fault is on, and always for cut work. */
function failWhile(runtime: Runtime, fault: FaultName): KyselyPlugin {
  return {
    transformQuery({ node }) {
      refuseCutWork()
      if (runtime.faults.isActive(fault)) throw databaseUnavailable(`injected fault ${fault}`)
      return node
    },
    transformResult: async ({ result }) => result,
  }
}

interface Connected<Schema> {
  readonly database: Kysely<Schema>
  /** Throws if the database is read-only. */
  readonly requireWritable: () => Promise<void>
  /** Whether a query failed since the last `clear` because of the database itself. */
  readonly outage: { seen: boolean }
  readonly executeNow?: OpenedSqlite['executeNow']
}

/** Runs the pending migrations of the schema. */
type Migrate = (database: Kysely<unknown>, migrationTableSchema?: string) => Promise<void>

async function connectPostgres<Schema>(
  { url, service, runtime }: DatabaseOptions,
  migrate: Migrate,
): Promise<Connected<Schema>> {
  const { createPostgresPool, migratePostgres } = await import('./postgres-database.ts')
  const schema = service.replaceAll('-', '_')
  const log = runtime.log.child({ service })
  // Without the schema's name, it would use another service's tables in the same database.
  await migratePostgres(url, schema, log, (database) => migrate(database, schema))
  const outage = { seen: false }
  const pool = createPostgresPool(url, schema, log, () => {
    outage.seen = true
  })
  const database = new Kysely<Schema>({ dialect: new PostgresDialect({ pool }) })
  const setting = sql<{ readonly value: string }>`
    select current_setting('transaction_read_only') as value
  `
  return {
    database,
    outage,
    async requireWritable() {
      const { rows } = await setting.execute(database)
      if (rows[0]?.value === 'on') throw databaseUnavailable('the database is read-only')
    },
  }
}

async function connectSqlite<Schema>(
  { url, service, runtime }: DatabaseOptions,
  migrate: Migrate,
): Promise<Connected<Schema>> {
  const path = url.slice('sqlite:'.length)
  const outage = { seen: false }
  try {
    if (path !== ':memory:') mkdirSync(dirname(path), { recursive: true, mode: 0o700 })
    const sqlite = openSqlite(path, () => {
      outage.seen = true
    })
    const { native } = sqlite
    const database = new Kysely<Schema>({ dialect: new SqliteDialect({ database: sqlite }) })
    try {
      // One transaction: another process waits, and a killed process leaves no partial migration.
      native.exec('begin immediate')
      await migrate(database as Kysely<unknown>)
      native.exec('commit')
    } catch (error) {
      await database.destroy()
      throw error
    }
    runtime.snapshots.add(createSqliteKeeper(database, native))
    const { executeNow } = sqlite
    return { database, outage, requireWritable: async () => {}, executeNow }
  } catch (error) {
    if (isTestbedError(error) && error.code !== 'database_unavailable') throw error
    throw unusableDatabaseFile(path, service, isTestbedError(error) ? error.cause : error)
  }
}

function createCheck<Schema>(
  database: Kysely<Schema>,
  { requireWritable, outage }: Connected<Schema>,
): Database<Schema>['check'] {
  /** A full disk can still be read, so the probe must write, each time in a transaction. */
  const probeWriting = async () => {
    await sql`create table if not exists health_probe (filler text)`.execute(database)
    await sql`insert into health_probe values (${'.'.repeat(65_536)})`.execute(database)
    await sql`drop table health_probe`.execute(database)
    outage.seen = false
  }
  const probe = async () => {
    await sql`select 1`.execute(database)
    await requireWritable()
    if (outage.seen) await probeWriting()
  }
  return () => {
    const { promise: late, reject } = Promise.withResolvers<never>()
    const timer = setTimeout(() => reject(databaseUnavailable('no response in time')), checkLimit)
    return Promise.race([probe(), late])
      .then(
        () => 'connected' as const,
        () => 'disconnected' as const,
      )
      .finally(() => clearTimeout(timer))
  }
}

/**
 * Opens a service's database and runs its pending migrations. During an outage of the database,
 * queries throw `database_unavailable` (503). They work again as soon as it recovers.
 *
 * @assumption A-68
 * @throws TestbedError `database_unreachable`, `database_refused`, `database_damaged`,
 * `migration_failed`
 */
export async function openDatabase<Schema>(options: DatabaseOptions): Promise<Database<Schema>> {
  const { url, service, runtime, migrations, fault = 'database-down' } = options
  const migrate: Migrate = async (db, migrationTableSchema) => {
    const provider = { getMigrations: async () => ({ ...migrations }) }
    const schema = migrationTableSchema === undefined ? {} : { migrationTableSchema }
    const { error } = await new Migrator({ db, provider, ...schema }).migrateToLatest()
    if (error === undefined) return
    if (isTestbedError(error)) throw error
    throw migrationFailed(service, error)
  }
  const connect = url.startsWith('sqlite:') ? connectSqlite : connectPostgres
  const connected = await connect<Schema>(options, migrate)
  const database = connected.database.withPlugin(failWhile(runtime, fault))
  const { executeNow } = connected
  const check = createCheck(database, connected)
  return Object.assign(database, { check, ...(executeNow && { executeNow }) })
}

const everySeconds = 60

/**
 * Returns a function that purges old rows. Every write calls it, but it runs at most once a minute,
 * and also if the clock was set back.
 * @param purge gets the time now in Unix seconds
 */
export function createPurge(clock: Clock, purge: (now: number) => Promise<unknown>) {
  let purgedAt = 0
  return async function purgeAtTimes(): Promise<void> {
    const now = clock.seconds()
    if (Math.abs(now - purgedAt) < everySeconds) return
    purgedAt = now
    await purge(now)
  }
}

/** A value that a query can take as a parameter. */
type Value = string | number | bigint | Uint8Array | null | undefined

/** A query that is built and compiled once, and executed with different values. */
interface PreparedQuery<Values, Row> {
  /** Returns all rows. */
  all(values: Values, on?: QueryExecutorProvider): Promise<Row[]>
  /** Returns the first row; undefined if there is none. */
  first(values: Values, on?: QueryExecutorProvider): Promise<Row | undefined>
  /** Returns the number of rows that the query inserted, updated or deleted. */
  change(values: Values, on?: QueryExecutorProvider): Promise<number>
}

/** A database, perhaps with a way to execute a statement without waiting for the connection. */
type Preparing = QueryExecutorProvider & Partial<Pick<OpenedSqlite, 'executeNow'>>

/** Represents a value while a query is built; using it in any other way is a mistake. */
class Placeholder {
  readonly name: string

  constructor(name: string) {
    this.name = name
  }

  /** For string templates, operators and JSON, which would compile one value into the query. */
  [Symbol.toPrimitive](): never {
    throw new TypeError(`a prepared query cannot depend on the value of ${this.name}`)
  }

  toJSON(): never {
    return this[Symbol.toPrimitive]()
  }
}

/**
 * Prepares a query for a hot path: building and compiling it takes longer than many statements.
 * `build` runs at the first execution, and again for values with other names, since undefined
 * values are absent for it. It gets a placeholder for each value, so it may only pass them on. The
 * queries run on `database`, or on the transaction that an execution names.
 */
export function prepareQuery<Values extends { readonly [Name in keyof Values]: Value }, Row>(
  database: Preparing,
  build: (values: Values) => Compilable<Row>,
): PreparedQuery<Values, Row> {
  const compiled = new Map<string, CompiledQuery<Row>>()

  const compile = (names: string): CompiledQuery<Row> => {
    const known = compiled.get(names)
    if (known !== undefined) return known
    const placeholders = names.split(' ').map((name) => [name, new Placeholder(name)])
    const query = build(Object.fromEntries(placeholders)).compile()
    compiled.set(names, query)
    return query
  }

  const execute = async (values: Values, on: Preparing = database): Promise<QueryResult<Row>> => {
    let names = ''
    for (const name in values) {
      if (values[name] !== undefined) names += names === '' ? name : ` ${name}`
    }
    const query = compile(names)
    const executor = on.getExecutor()
    // Plugins admit or reject a query before it runs; this one is compiled, so they cannot change it.
    executor.transformQuery(query.query, query.queryId)
    const parameters = query.parameters.map((parameter) =>
      parameter instanceof Placeholder ? values[parameter.name as keyof Values] : parameter,
    )
    const result = on.executeNow?.(query.sql, parameters) as QueryResult<Row> | undefined
    return result ?? executor.executeQuery({ ...query, parameters })
  }

  return {
    all: async (values, on) => (await execute(values, on)).rows,
    first: async (values, on) => (await execute(values, on)).rows[0],
    change: async (values, on) => Number((await execute(values, on)).numAffectedRows ?? 0n),
  }
}
