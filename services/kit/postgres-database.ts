import {
  Kysely,
  type PostgresCursor,
  PostgresDialect,
  type PostgresPool,
  type PostgresPoolClient,
  type PostgresQueryResult,
} from 'kysely'
import { Client, DatabaseError, Pool, type PoolClient, types } from 'pg'
import { isTestbedError, type TestbedError } from '#core/errors/testbed-error.ts'
import { databaseUnavailable, databaseUnreachable } from '#kit/errors.ts'
import type { Log } from '#kit/log.ts'

// 64-bit integers come back as text by default; ours are times and counts below 2^53.
types.setTypeParser(types.builtins.INT8, Number)

/**
 * What a query may take until the service gives up on it, in milliseconds. The server ends it first;
 * a server that does not answer at all is given up a second later. Parameters of these names in the
 * database URL win.
 */
const limits = {
  statement_timeout: 8000,
  query_timeout: 9000,
  // A peer that went away without a word holds its locks this long.
  idle_in_transaction_session_timeout: 30_000,
}
const connectionLimit = 5000

/**
 * Classes of SQLSTATE in which the server, and not the query, is at fault: connection, authorization,
 * database gone, transaction rollback, resources (disk full, too many connections), operator
 * intervention (shutdown, terminated, timeout), system error, internal error.
 */
const outageClasses = new Set(['08', '28', '3D', '40', '53', '57', '58', 'XX'])
/** Read-only or in recovery, transaction idle for too long, lock not available. */
const outageCodes = new Set(['25006', '25P03', '55P03'])

function isOutage(error: unknown): boolean {
  // What did not come from the server is the connection's: refused, reset, timed out, terminated.
  if (!(error instanceof DatabaseError)) return true
  const { code = '' } = error
  return outageClasses.has(code.slice(0, 2)) || outageCodes.has(code)
}

const breaksConnection = (error: unknown) =>
  !(error instanceof DatabaseError) || error.severity === 'FATAL' || error.severity === 'PANIC'

/** Where the database is, for messages: a URL may hold a password. */
export function describePostgres(url: string): string {
  const { hostname, port, pathname } = new URL(url)
  return `${hostname || 'localhost'}:${port || 5432}${pathname}`
}

/**
 * Queries in the shape that Kysely expects. It hands over cursors only if its dialect was given a
 * constructor of them.
 * @param onError throws what a failed query fails with
 */
function queryOn(
  client: Client | PoolClient,
  onError: (error: unknown) => never,
): PostgresPoolClient['query'] {
  function query<R>(sql: string, parameters: readonly unknown[]): Promise<PostgresQueryResult<R>>
  function query<R>(cursor: PostgresCursor<R>): PostgresCursor<R>
  function query<R>(
    sql: string | PostgresCursor<R>,
    parameters: readonly unknown[] = [],
  ): Promise<unknown> | PostgresCursor<R> {
    if (typeof sql !== 'string') throw new TypeError('No cursors are configured')
    return client.query(sql, [...parameters]).catch(onError)
  }
  return query
}

/**
 * Connections to PostgreSQL for Kysely. They survive every outage: a broken one is thrown away, and
 * whatever it was doing fails with `database_unavailable`.
 */
export function createPostgresPool(
  url: string,
  schema: string,
  log: Log,
  onOutage: () => void,
): PostgresPool {
  const pool = new Pool({
    connectionString: url,
    options: `-c search_path=${schema}`,
    application_name: `lear-testbed ${schema}`,
    max: 10,
    keepAlive: true,
    connectionTimeoutMillis: connectionLimit,
    ...limits,
  })
  // The pool hears the errors of idle connections alone; each one in use has to be heard itself, or
  // the end of a connection is the end of this process.
  pool.on('error', () => {})
  pool.on('connect', (client) => {
    client.on('error', (err) => log.warn({ err }, 'a database connection ended'))
  })
  const translate = (error: unknown): unknown => {
    if (!isOutage(error)) return error
    onOutage()
    return databaseUnavailable(describePostgres(url), error)
  }
  return {
    options: pool.options,
    end: () => pool.end(),
    async connect() {
      const client = await pool.connect().catch((error) => {
        throw translate(error)
      })
      let isBroken = false
      const query = queryOn(client, (error) => {
        // A query that was given up may still be running there: nothing else can use it.
        isBroken ||= breaksConnection(error)
        throw translate(error)
      })
      return { query, release: (destroy = false) => client.release(destroy || isBroken) }
    },
  }
}

const notYet = new Set([
  '53300',
  '57P03',
  'ECONNREFUSED',
  'ECONNRESET',
  'EHOSTUNREACH',
  'ETIMEDOUT',
])
const pauseMilliseconds = 250

/** How long a start waits for a server that is not there yet: libpq's parameter of that name. */
function startLimit(url: string): number {
  return Number(new URL(url).searchParams.get('connect_timeout') ?? 30) * 1000
}

/** What is wrong with the server or its database, by its address. */
export function cannotUsePostgres(url: string, cause: unknown): TestbedError {
  const reason = cause instanceof Error ? cause.message || String(Reflect.get(cause, 'code')) : ''
  return databaseUnreachable(
    `PostgreSQL at ${describePostgres(url)} cannot be used: ${reason}.`,
    cause,
  )
}

/**
 * One connection of its own, without a limit on what its queries take. Waits for a server that is
 * starting.
 * @throws TestbedError `database_unreachable` that names the server
 */
export async function connectToPostgres(
  url: string,
  name: string,
  log: Log,
  limit = startLimit(url),
): Promise<Client> {
  const began = performance.now()
  for (let attempt = 0; ; attempt += 1) {
    const client = new Client({
      connectionString: url,
      application_name: `lear-testbed ${name}`,
      keepAlive: true,
      connectionTimeoutMillis: connectionLimit,
    })
    client.on('error', () => {})
    try {
      await client.connect()
      return client
    } catch (error) {
      await client.end().catch(() => {})
      const code = String((error as { code?: unknown }).code)
      if (!notYet.has(code) || performance.now() - began >= limit)
        throw cannotUsePostgres(url, error)
      if (attempt === 0) log.warn({ server: describePostgres(url), code }, 'waiting for PostgreSQL')
      await new Promise((resolve) => setTimeout(resolve, pauseMilliseconds))
    }
  }
}

/** The one connection as a pool, for what has to run on it. */
function poolOf(client: Client): PostgresPool {
  const query = queryOn(client, (error) => {
    throw error
  })
  return {
    options: {},
    connect: async () => ({ query, release: () => {} }),
    end: () => client.end(),
  }
}

/**
 * Brings a schema of the database up to date, while no other process does the same. Queries have no
 * time limit there.
 * @throws TestbedError `database_unreachable`, or what `migrate` throws
 */
export async function migratePostgres(
  url: string,
  schema: string,
  log: Log,
  migrate: (database: Kysely<unknown>) => Promise<void>,
): Promise<void> {
  const client = await connectToPostgres(url, schema, log)
  const database = new Kysely<unknown>({ dialect: new PostgresDialect({ pool: poolOf(client) }) })
  try {
    await client.query('select pg_advisory_lock(hashtextextended($1, 0))', [`migrate ${schema}`])
    // Even with `if not exists` two processes at once would collide here.
    await client.query(`create schema if not exists "${schema}"`)
    await client.query(`set search_path to "${schema}"`)
    await migrate(database)
  } catch (error) {
    throw isTestbedError(error) ? error : cannotUsePostgres(url, error)
  } finally {
    await client.end()
  }
}
