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
import { databaseUnavailable, databaseUnreachable } from './errors.ts'
import type { Log } from './log.ts'

// 64-bit integers arrive as strings by default. The service stores times and counts below 2^53.
types.setTypeParser(types.builtins.INT8, Number)

/**
 * Time limits of a query in milliseconds. The server ends the query first; the service gives up on
 * an unresponsive server a second later. Parameters of these names in the database URL take
 * precedence.
 */
const limits = {
  statement_timeout: 8000,
  query_timeout: 9000,
  // A client that disappeared silently holds its locks this long.
  idle_in_transaction_session_timeout: 30_000,
}
const connectionLimit = 5000

/**
 * SQLSTATE classes of errors that the server causes, not the query: connection, authorization,
 * missing database, transaction rollback, resources (disk full, too many connections), operator
 * intervention (shutdown, terminated, timeout), system error, internal error.
 */
const outageClasses = new Set(['08', '28', '3D', '40', '53', '57', '58', 'XX'])
/** Read-only or in recovery, transaction idle for too long, lock not available. */
const outageCodes = new Set(['25006', '25P03', '55P03'])

function isOutage(error: unknown): boolean {
  // Any other error comes from the connection: refused, reset, timed out, terminated.
  if (!(error instanceof DatabaseError)) return true
  const { code = '' } = error
  return outageClasses.has(code.slice(0, 2)) || outageCodes.has(code)
}

const breaksConnection = (error: unknown) =>
  !(error instanceof DatabaseError) || error.severity === 'FATAL' || error.severity === 'PANIC'

/** The database's address for messages: the URL may contain a password. */
export function describePostgres(url: string): string {
  const { hostname, port, pathname } = new URL(url)
  return `${hostname || 'localhost'}:${port || 5432}${pathname}`
}

/**
 * Runs queries in the form that Kysely expects. It passes cursors only if its dialect was given a
 * cursor constructor.
 * @param onError throws the error of a failed query
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
 * Connection pool to PostgreSQL for Kysely. It survives every outage: it discards a broken
 * connection, and the query on it fails with `database_unavailable`.
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
  // The pool only reports the errors of idle connections. Without a listener on each connection, an
  // error of one in use would end this process.
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
        // An abandoned query may still be running on the connection, so it cannot be reused.
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

/** How long a start waits for a server that is not up yet: libpq's parameter of that name. */
function startLimit(url: string): number {
  return Number(new URL(url).searchParams.get('connect_timeout') ?? 30) * 1000
}

/** Describes the problem of the server or its database, with its address. */
export function cannotUsePostgres(url: string, cause: unknown): TestbedError {
  const reason = cause instanceof Error ? cause.message || String(Reflect.get(cause, 'code')) : ''
  return databaseUnreachable(
    `PostgreSQL at ${describePostgres(url)} cannot be used: ${reason}.`,
    cause,
  )
}

/**
 * Opens a single connection whose queries have no time limit. Waits for a server that is starting.
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

/** The single connection as a pool, for work that must run on it. */
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
 * Migrates a schema of the database under a lock that excludes other processes. Its queries have no
 * time limit.
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
    // Even with `if not exists`, two simultaneous processes would collide here.
    await client.query(`create schema if not exists "${schema}"`)
    await client.query(`set search_path to "${schema}"`)
    await migrate(database)
  } catch (error) {
    throw isTestbedError(error) ? error : cannotUsePostgres(url, error)
  } finally {
    await client.end()
  }
}
