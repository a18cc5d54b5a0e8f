import { readdirSync, readFileSync, readlinkSync } from 'node:fs'
import type { RequestListener, Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { networkInterfaces } from 'node:os'
import { basename } from 'node:path'
import type { TestbedError } from '#core/errors/testbed-error.ts'
import { maskText } from '#core/json/mask-secrets.ts'
import { createServer } from '#kit/node-http.ts'
import { hostInUrl } from '#kit/origins.ts'
import { portRefused, portTaken, unfitOptions } from '#testbed/errors.ts'
import { isPortUsable } from './ports.ts'

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
  /** Program and script as people know them, cut to the length of a line. */
  readonly command: string
}

const shownCharacters = 100

/**
 * The program by its base name and its script or subcommand, without the module that our bootstrap
 * preloads. Options and what follows them may contain passwords and tokens, which an error would
 * repeat.
 */
function readCommand(pid: string): string {
  const [program = '', ...rest] = readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0')
  const preloads = rest[0] === '--import' ? 2 : 0
  const first = rest[preloads] ?? ''
  const command = [basename(program), first.startsWith('-') ? '' : maskText(first)].join(' ').trim()
  return command.length > shownCharacters ? `${command.slice(0, shownCharacters)}…` : command
}

/**
 * The process that listens on a port, if the system shows it (Linux, and processes that this user
 * may inspect).
 */
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

/** A reserved port; the handler behind it is set later. */
export interface Listener {
  readonly port: number
  /** Sets the handler; 503 before. */
  serve(handler: RequestListener): void
  /** Lets open requests finish for a moment, then closes all connections. Can be called twice. */
  close(): Promise<void>
}

const graceMilliseconds = 500

const hasAddress = (code: string) =>
  !['EADDRNOTAVAIL', 'ENOTFOUND', 'EAI_AGAIN', 'EINVAL'].includes(code)

const listOwnAddresses = (): string[] =>
  Object.values(networkInterfaces()).flatMap((each = []) => each.map(({ address }) => address))

/** What `testbed wallet serve` listens for. */
export const walletPart = 'the wallet'

const choiceFor = (part: string) =>
  part === walletPart
    ? 'another port with --port N (0 chooses a free port)'
    : 'other ports with --port-base N (0 chooses free ports)'

/** The error for a port that is not available. */
export function cannotListen(
  port: number,
  part: string,
  cause?: NodeJS.ErrnoException,
  host = 'this machine',
): TestbedError {
  const problem = { port, part, cause }
  const choice = choiceFor(part)
  if (cause?.code !== undefined && cause.code !== 'EADDRINUSE') {
    const hint = hasAddress(cause.code)
      ? `Choose ${choice}.`
      : `Use --bind with an address of this machine: ${listOwnAddresses().join(', ')}, or 0.0.0.0 for all.`
    return portRefused(problem, { host, hint })
  }
  const owner = findPortOwner(port)
  const by = owner === undefined ? '' : ` by process ${owner.pid} (${owner.command})`
  return portTaken(problem, { by, choice })
}

const starting: RequestListener = (_request, response) => {
  response.writeHead(503, { 'retry-after': '1', 'content-type': 'text/plain' })
  response.end('The testbed is starting.\n')
}

function open(server: Server, host: string, port: number, part: string): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once('error', (cause) => reject(cannotListen(port, part, cause, host)))
    server.listen(port, host, () => resolve((server.address() as AddressInfo).port))
  })
}

/**
 * Reserves a port (0: a free port that `fetch` accepts) before its service starts, so that every
 * address is known when the services are created.
 * @throws TestbedError `port_taken` with the process that uses it, or `port_refused`
 */
export async function listen(host: string, wanted: number, part: string): Promise<Listener> {
  let handler = starting
  const server = createServer((request, response) => handler(request, response))
  let port = await open(server, host, wanted, part)
  while (!isPortUsable(port)) {
    await new Promise((resolve) => server.close(resolve))
    port = await open(server, host, 0, part)
  }
  let closing: Promise<void> | undefined
  return {
    port,
    serve(next) {
      handler = next
    },
    close() {
      closing ??= new Promise((resolve) => {
        const end = setTimeout(() => server.closeAllConnections(), graceMilliseconds)
        server.close(() => {
          clearTimeout(end)
          resolve()
        })
        server.closeIdleConnections()
      })
      return closing
    },
  }
}

const loopback: Readonly<Record<string, string>> = { '0.0.0.0': '127.0.0.1', '::': '::1' }

/** Address under which this machine reaches a server that listens on `bind`. */
export function localHostOf(bind: string): string {
  return hostInUrl(loopback[bind] ?? bind)
}

/** The address of a port for this machine. */
export function createLocalUrl(bind: string): (port: number) => string {
  return (port) => `http://${localHostOf(bind)}:${port}`
}

/**
 * Returns the public address of a port: scheme and host of `--public-url`, or this machine's own.
 * Every address in a QR code, a link or metadata comes from this function, never from a Host
 * header.
 * @throws TestbedError `invalid_option` unless it is an http(s) origin without a port
 */
export function createPublicUrl(
  bind: string,
  publicUrl: string | undefined,
): (port: number) => string {
  if (publicUrl === undefined) return createLocalUrl(bind)
  const base = URL.canParse(publicUrl) ? new URL(publicUrl) : undefined
  const isOrigin = base !== undefined && /^https?:$/.test(base.protocol) && base.pathname === '/'
  // Not `base.port`, which is empty for the default port too.
  const hasPort = /:\d*\/?$/.test(publicUrl)
  if (base === undefined || !isOrigin || hasPort || base.search !== '' || base.username !== '') {
    throw unfitOptions(
      `"${publicUrl}" is not a valid public address such as http://192.168.1.20`,
      'Specify only scheme and host, without a port: each service adds its own.',
    )
  }
  return (port) => `${base.protocol}//${base.hostname}:${port}`
}
