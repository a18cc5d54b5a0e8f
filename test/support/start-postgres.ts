import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { chownSync, existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { findFreePorts } from './find-free-ports.ts'

export interface RunningPostgres {
  readonly url: string
  stop(): Promise<void>
}

/** Folder of PostgreSQL's server programs, as Debian and others install them; undefined where none is. */
export function findPostgres(): string | undefined {
  const versions = '/usr/lib/postgresql'
  const debian = existsSync(versions)
    ? readdirSync(versions).map((version) => join(versions, version, 'bin'))
    : []
  return [...debian, '/usr/local/bin', '/usr/bin', '/opt/homebrew/bin'].find((folder) =>
    existsSync(join(folder, 'initdb')),
  )
}

/** The server refuses to run as root; Debian's package brings a user for it. */
function serverUser(): { uid: number; gid: number } | undefined {
  if (process.getuid?.() !== 0) return undefined
  const id = (flag: string) => Number(execFileSync('id', [flag, 'postgres']).toString())
  return { uid: id('-u'), gid: id('-g') }
}

/** Resolves once the server says that it takes connections. */
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

/** Starts a PostgreSQL server of our own on loopback, in a temporary folder. */
export async function startPostgres(programs: string): Promise<RunningPostgres> {
  const user = serverUser()
  const folder = mkdtempSync(join(tmpdir(), 'lear-postgres-'))
  if (user) chownSync(folder, user.uid, user.gid)
  const data = join(folder, 'data')
  const as = { cwd: folder, ...user }
  const arguments_ = ['-D', data, '-U', 'testbed', '-A', 'trust', '--no-sync']
  execFileSync(join(programs, 'initdb'), arguments_, { ...as, stdio: 'pipe' })
  const [port = 0] = await findFreePorts(1)
  const server = spawn(
    join(programs, 'postgres'),
    ['-D', data, '-h', '127.0.0.1', '-p', String(port), '-k', folder, '-F'],
    { ...as, stdio: ['ignore', 'ignore', 'pipe'] },
  )
  await ready(server)
  return {
    url: `postgres://testbed@127.0.0.1:${port}/postgres`,
    async stop() {
      // Asked this way it waits for its clients: one that stays connected would show here.
      const ended = new Promise((resolve) => server.once('exit', resolve))
      server.kill('SIGTERM')
      await ended
      rmSync(folder, { recursive: true, force: true })
    },
  }
}
