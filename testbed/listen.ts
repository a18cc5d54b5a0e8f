import { createServer, type RequestListener, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { networkInterfaces } from 'node:os'
import { TestbedError } from '#core/errors/testbed-error.ts'
import { findPortOwner } from './find-port-owner.ts'
import { isPortUsable } from './ports.ts'

/** A port that is ours already, with whatever shall answer there put behind it later. */
export interface Listener {
  readonly port: number
  /** Who answers from now on; 503 before. */
  serve(handler: RequestListener): void
  /** Lets requests under way finish for a moment, then ends all. May be called twice. */
  close(): Promise<void>
}

const graceMilliseconds = 500

const hasAddress = (code: string) =>
  !['EADDRNOTAVAIL', 'ENOTFOUND', 'EAI_AGAIN', 'EINVAL'].includes(code)

const listOwnAddresses = (): string[] =>
  Object.values(networkInterfaces()).flatMap((each = []) => each.map(({ address }) => address))

/** What happened and what to do where a port cannot be had. */
export function portTaken(
  port: number,
  part: string,
  cause?: unknown,
  host = 'this machine',
): TestbedError {
  const code = (cause as NodeJS.ErrnoException | undefined)?.code
  if (code !== undefined && code !== 'EADDRINUSE') {
    return new TestbedError({
      code: 'port_refused',
      status: 500,
      message: `Cannot listen on ${host}:${port} for ${part} (${code}).`,
      hints: hasAddress(code)
        ? ['Choose another port: up --port-base N, wallet serve --port N (0 takes a free one).']
        : [
            `Give --bind an address of this machine: ${listOwnAddresses().join(', ')}, or 0.0.0.0 for all.`,
          ],
      extra: { port },
      cause,
    })
  }
  const owner = findPortOwner(port)
  const by = owner === undefined ? '' : ` by process ${owner.pid} (${owner.command})`
  return new TestbedError({
    code: 'port_taken',
    status: 500,
    message: `Port ${port} for ${part} is taken${by}.`,
    hints: [
      'Stop that process, or choose another one: up --port-base N, wallet serve --port N (0 takes a free one).',
    ],
    extra: { port },
    cause,
  })
}

const starting: RequestListener = (_request, response) => {
  response.writeHead(503, { 'retry-after': '1', 'content-type': 'text/plain' })
  response.end('The testbed is starting.\n')
}

function open(server: Server, host: string, port: number, part: string): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once('error', (cause) => reject(portTaken(port, part, cause, host)))
    server.listen(port, host, () => resolve((server.address() as AddressInfo).port))
  })
}

/**
 * Takes a port (0: a free one that `fetch` talks to) before anything is behind it, so that every
 * address is known when the services are made.
 * @throws TestbedError `port_taken` that says by whom, or `port_refused`
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
