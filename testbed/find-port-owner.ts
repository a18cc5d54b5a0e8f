import { readdirSync, readFileSync, readlinkSync } from 'node:fs'
import { basename } from 'node:path'

const listening = '0A'

function inodesOf(port: number): Set<string> {
  const suffix = `:${port.toString(16).toUpperCase().padStart(4, '0')}`
  const inodes = new Set<string>()
  for (const table of ['/proc/net/tcp', '/proc/net/tcp6']) {
    for (const line of readFileSync(table, 'utf8').split('\n').slice(1)) {
      const [, local, , state, , , , , , inode] = line.trim().split(/\s+/)
      if (local?.endsWith(suffix) && state === listening && inode) inodes.add(`socket:[${inode}]`)
    }
  }
  return inodes
}

function readQuietly<T>(read: () => T, otherwise: T): T {
  try {
    return read()
  } catch {
    return otherwise
  }
}

function holds(pid: string, inodes: ReadonlySet<string>): boolean {
  const folder = `/proc/${pid}/fd`
  return readQuietly(() => readdirSync(folder), []).some((fd) =>
    inodes.has(readQuietly(() => readlinkSync(`${folder}/${fd}`), '')),
  )
}

export interface PortOwner {
  readonly pid: number
  /** Program and arguments as people know them, cut to a line's length. */
  readonly command: string
}

const shownCharacters = 100

/** The program by its name alone, and without the module that our bootstrap preloads. */
function readCommand(pid: string): string {
  const [program = '', ...rest] = readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0')
  const preloads = rest[0] === '--import' ? 2 : 0
  const command = [basename(program), ...rest.slice(preloads)].join(' ').trim()
  return command.length > shownCharacters ? `${command.slice(0, shownCharacters)}…` : command
}

/** Who listens on a port, where the system tells (Linux, and processes that we may look at). */
export function findPortOwner(port: number): PortOwner | undefined {
  try {
    const inodes = inodesOf(port)
    if (inodes.size === 0) return undefined
    const pid = readdirSync('/proc').find((name) => /^\d+$/.test(name) && holds(name, inodes))
    if (pid === undefined) return undefined
    return { pid: Number(pid), command: readCommand(pid) }
  } catch {
    return undefined
  }
}
