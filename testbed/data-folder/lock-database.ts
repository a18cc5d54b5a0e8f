import { randomUUID } from 'node:crypto'
import { hostname } from 'node:os'
import type { Client } from 'pg'
import { isTestbedError, type TestbedError } from '#core/errors/testbed-error.ts'
import type { Log } from '#kit/log.ts'
import { cannotUsePostgres, connectToPostgres, describePostgres } from '#kit/postgres-database.ts'
import { databaseInUse, databaseOfAnotherTestbed } from './errors.ts'

/** The state whose records a database keeps, across runs. */
export interface DatabaseOwner {
  /** Id of the data folder; null if no data folder was ever used with it. */
  readonly folder_id: number | null
  /** Number of the folder's last start. */
  readonly run: number
}

/** The last testbed that used a database. */
interface Holder extends DatabaseOwner {
  /** Unique for each start. */
  readonly token: string
  readonly host: string
  readonly pid: number
  readonly folder: string
  readonly started_at: string
}

/** A database that only this testbed uses while it runs. */
export interface DatabaseLock {
  /** The state when the lock was taken. */
  readonly owner: DatabaseOwner
  /** Resolves if another testbed has taken the database during an outage of its server. */
  readonly lost: Promise<TestbedError>
  /** Records the owner of the database's records. */
  setOwner(owner: DatabaseOwner): Promise<void>
  release(): Promise<void>
}

export interface DatabaseLockOptions {
  readonly dataFolder?: string | undefined
  /** Id of the data folder, if the testbed has a persistent folder. */
  readonly folderId?: number | undefined
  readonly startedAt: string
  readonly log: Log
}

const retryMilliseconds = 500

const describeHolder = ({ pid, host, folder, started_at }: Holder) =>
  `process ${pid} on ${host}, ${folder}, started at ${started_at}`

/**
 * Makes this testbed the only one on a PostgreSQL database, by an advisory lock on a separate
 * connection: the server releases it however this process ends. After an outage the lock is taken
 * again.
 * @throws TestbedError `database_in_use` or `database_of_another_testbed` with host, process and
 * data folder of the other one; `database_unreachable`
 *
 * @assumption A-69
 */
export async function lockDatabase(
  url: string,
  { dataFolder, folderId, startedAt, log }: DatabaseLockOptions,
): Promise<DatabaseLock> {
  const token = randomUUID()
  const connectionName = `lock ${token.slice(0, 8)}`
  const server = describePostgres(url)
  const folder = dataFolder === undefined ? 'in memory' : `data folder ${dataFolder}`
  const lost = Promise.withResolvers<TestbedError>()
  let connection: Client | undefined
  let owner: DatabaseOwner = { folder_id: null, run: 0 }
  let isReleased = false
  let timer: NodeJS.Timeout | undefined

  const readHolder = async (client: Client): Promise<Holder | undefined> =>
    (await client.query('select * from testbed.holder')).rows[0]

  /** Takes the lock and returns the state of the database, or returns the current holder. */
  const tryLock = async (
    client: Client,
  ): Promise<{ held: boolean; holder: Holder | undefined }> => {
    const { rows } = await client.query(
      `select pg_try_advisory_lock(hashtextextended('lear-testbed', 0)) as held`,
    )
    if (rows[0]?.held !== true) {
      // The table may not exist yet: the other testbed took the lock a moment ago.
      return { held: false, holder: await readHolder(client).catch(() => undefined) }
    }
    await client.query(`
      create schema if not exists testbed;
      create table if not exists testbed.holder (
        id integer primary key, token text not null, host text not null, pid integer not null,
        folder text not null, started_at text not null, folder_id integer, run integer not null
      )
    `)
    const before = await readHolder(client)
    if (before?.folder_id != null && before.folder_id !== folderId) {
      throw databaseOfAnotherTestbed(server, describeHolder(before))
    }
    const { rows: written } = await client.query(
      `insert into testbed.holder values (1, $1, $2, $3, $4, $5, null, 0)
       on conflict (id) do update set token = $1, host = $2, pid = $3, folder = $4, started_at = $5
       returning *`,
      [token, hostname(), process.pid, folder, startedAt],
    )
    return { held: true, holder: written[0] }
  }

  const keep = (client: Client) => {
    connection = client
    client.once('end', retrySoon)
  }
  const retrySoon = () => {
    if (!isReleased) timer = setTimeout(() => void retry().catch(retrySoon), retryMilliseconds)
  }
  const retry = async () => {
    const client = await connectToPostgres(url, connectionName, log, 0)
    try {
      // A connection that broke silently may still hold the lock for this testbed.
      await client.query(
        `select pg_terminate_backend(pid) from pg_stat_activity
         where application_name = $1 and pid <> pg_backend_pid()`,
        [`lear-testbed ${connectionName}`],
      )
      const { held, holder } = await tryLock(client)
      if (held && !isReleased) return keep(client)
      if (!held && holder?.token !== token)
        lost.resolve(databaseInUse(server, holder && describeHolder(holder)))
      else retrySoon()
    } catch (error) {
      if (!isTestbedError(error)) throw error
      lost.resolve(error)
    }
    await client.end()
  }

  const first = await connectToPostgres(url, connectionName, log)
  try {
    const { held, holder } = await tryLock(first)
    if (!held) throw databaseInUse(server, holder && describeHolder(holder))
    if (holder !== undefined) owner = holder
  } catch (error) {
    await first.end()
    throw isTestbedError(error) ? error : cannotUsePostgres(url, error)
  }
  keep(first)
  return {
    owner,
    lost: lost.promise,
    async setOwner({ folder_id, run }) {
      await connection?.query('update testbed.holder set folder_id = $1, run = $2', [
        folder_id,
        run,
      ])
    },
    async release() {
      isReleased = true
      clearTimeout(timer)
      await connection?.end()
    },
  }
}
