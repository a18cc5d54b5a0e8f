import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { chownSync, existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Client } from 'pg'
import { findFreePorts } from './servers.ts'

export interface RunningPostgres {
  readonly url: string
  /**
   * Ends the server: `fast` closes every connection with a message, `immediate` is a crash, and
   * without either it waits until its clients have gone.
   */
  halt(how?: 'fast' | 'immediate'): Promise<void>
  /** Starts it again, on the same port and data. */
  resume(): Promise<void>
  /** Runs SQL on a connection that the server keeps for a superuser. */
  run(sql: string): Promise<Record<string, unknown>[]>
  /** Halts it, which waits for its clients to go, and removes its data. */
  stop(): Promise<void>
}

/** Folder of PostgreSQL's server programs, as Debian and other distributions install them; undefined if missing. */
export function findPostgres(): string | undefined {
  const versions = '/usr/lib/postgresql'
  const debian = existsSync(versions)
    ? readdirSync(versions).map((version) => join(versions, version, 'bin'))
    : []
  return [...debian, '/usr/local/bin', '/usr/bin', '/opt/homebrew/bin'].find((folder) =>
    existsSync(join(folder, 'initdb')),
  )
}

/** The server does not run as root; Debian's package creates a user for it. */
function serverUser(): { uid: number; gid: number } | undefined {
  if (process.getuid?.() !== 0) return undefined
  const id = (flag: string) => Number(execFileSync('id', [flag, 'postgres']).toString())
  return { uid: id('-u'), gid: id('-g') }
}

/** Resolves once the server reports that it accepts connections. */
function ready(server: ChildProcess): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>()
  let said = ''
  server.stderr?.on('data', (chunk) => {
    said += chunk
    if (said.includes('database system is ready to accept connections')) resolve()
  })
  server.once('exit', () => reject(new Error(`PostgreSQL did not start: ${said}`)))
  return promise
}

const signals = { fast: 'SIGINT', immediate: 'SIGQUIT', smart: 'SIGTERM' } as const

/** Starts a separate PostgreSQL server on loopback, in a temporary folder. */
export async function startPostgres(programs: string): Promise<RunningPostgres> {
  const user = serverUser()
  const folder = mkdtempSync(join(tmpdir(), 'lear-postgres-'))
  if (user) chownSync(folder, user.uid, user.gid)
  const data = join(folder, 'data')
  const as = { cwd: folder, ...user }
  const arguments_ = ['-D', data, '-U', 'testbed', '-A', 'trust', '--no-sync']
  execFileSync(join(programs, 'initdb'), arguments_, { ...as, stdio: 'pipe' })
  execFileSync(
    join(programs, 'postgres'),
    ['--single', '-D', data, 'postgres'],
    // The services' role is not a superuser, as in production.
    {
      ...as,
      input: 'create role services login; grant create on database postgres to services',
      stdio: 'pipe',
    },
  )
  const [port = 0] = await findFreePorts(1)
  const start = async () => {
    const server = spawn(
      join(programs, 'postgres'),
      ['-D', data, '-h', '127.0.0.1', '-p', String(port), '-k', folder, '-F'],
      { ...as, stdio: ['ignore', 'ignore', 'pipe'] },
    )
    const exited = new Promise((resolve) => server.once('exit', resolve))
    await ready(server)
    return { server, exited }
  }
  let running: Awaited<ReturnType<typeof start>> | undefined = await start()
  const halt = async (how: keyof typeof signals = 'smart') => {
    running?.server.kill(signals[how])
    await running?.exited
    running = undefined
  }
  return {
    url: `postgres://services@127.0.0.1:${port}/postgres`,
    halt,
    async resume() {
      running = await start()
    },
    async run(sql) {
      const client = new Client({ host: folder, port, user: 'testbed', database: 'postgres' })
      await client.connect()
      try {
        return (await client.query(sql)).rows
      } finally {
        await client.end()
      }
    },
    async stop() {
      // This way it waits for its clients, so a client that stays connected would show here.
      await halt()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}
