import { randomInt } from 'node:crypto'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import {
  createServer,
  request as forward,
  type Server as HttpServer,
  type IncomingHttpHeaders,
  type IncomingMessage,
  Agent as KeepAliveAgent,
} from 'node:http'
import { createServer as createHttpsServer } from 'node:https'
import {
  type AddressInfo,
  connect,
  createServer as createTcpServer,
  type Server,
  type Socket,
} from 'node:net'
import { join, resolve } from 'node:path'
import { buffer, text } from 'node:stream/consumers'
import { Agent, fetch } from 'undici'
import { onTestFinished } from 'vitest'
import { parseJson } from '#core/json/read-json.ts'

/** The request to the server. */
export interface Asked {
  readonly method: string
  readonly path: string
  readonly headers: IncomingHttpHeaders
  readonly body: string
}

/** Its response; `hang` sends none. */
export type Answer =
  | {
      readonly status: number
      readonly headers?: Readonly<Record<string, string>>
      readonly body?: unknown
    }
  | 'hang'

/** Makes a server listen on a free port of this machine, and returns its origin. */
export async function listenOn(server: Server): Promise<string> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

/** Closes a server and its connections. */
export async function closeServer(server: HttpServer): Promise<void> {
  const closed = once(server.close(), 'close')
  server.closeAllConnections()
  await closed
}

/** Makes a server listen as {@link listenOn} does, until the running test has finished. */
export function listenForTest(server: HttpServer): Promise<string> {
  onTestFinished(() => void closeServer(server))
  return listenOn(server)
}

/** Starts a server with the given answers that closes with the running test. */
export async function startAnsweringServer(answer: (asked: Asked) => Answer | Promise<Answer>) {
  const requests: Asked[] = []
  const server = createServer(async (request, response) => {
    const { method = '', url: path = '', headers } = request
    const asked = { method, path, headers, body: await text(request) }
    requests.push(asked)
    const answered = await answer(asked)
    if (answered === 'hang') return
    const { status, body = '' } = answered
    response.writeHead(status, answered.headers)
    response.end(typeof body === 'string' ? body : JSON.stringify(body))
  })
  return { url: await listenForTest(server), requests }
}

/** A server with one response to every request; returns its URL. Ends with the running test. */
export async function answerEverything(status: number, body: unknown): Promise<string> {
  const server = createServer((request, response) => {
    request.resume()
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
  })
  return listenForTest(server)
}

/**
 * A proxy that rejects some requests with HTTP 400 and a body, and forwards the others. Ends with the
 * running test.
 */
export async function startFilter(
  target: string,
  findRejection: (path: string, body: string) => Promise<object | undefined>,
): Promise<string> {
  const server = createServer(async (request, response) => {
    const { method, url: path = '', headers } = request
    const body = await buffer(request)
    const rejection = await findRejection(path, body.toString())
    if (rejection !== undefined) {
      response.writeHead(400, { 'content-type': 'application/json' }).end(JSON.stringify(rejection))
      return
    }
    const inner = forward(`${target}${path}`, { method, headers }, (answer) => {
      response.writeHead(answer.statusCode ?? 502, answer.headers)
      answer.pipe(response)
    })
    inner.on('error', () => response.destroy())
    inner.end(body)
  })
  return listenForTest(server)
}

type MaybePromise<Value> = Value | Promise<Value>

/**
 * A proxy that changes the status and the JSON of each answer. Ends with the running test.
 */
export async function startRewriter(
  target: string,
  rewrite: (
    path: string,
    status: number,
    json: unknown,
  ) => MaybePromise<readonly [number, unknown]>,
): Promise<string> {
  const server = createServer(async (request, response) => {
    const { method, url: path = '', headers } = request
    const body = await buffer(request)
    const inner = forward(`${target}${path}`, { method, headers }, async (answer) => {
      const text = (await buffer(answer)).toString()
      const { 'content-length': _length, ...kept } = answer.headers
      const given = parseJson(text)
      const [status, json] = await rewrite(path, answer.statusCode ?? 502, given)
      // Digits of large numbers are only in the text.
      const isSame = json === undefined || json === given
      response.writeHead(status, kept).end(isSame ? text : JSON.stringify(json))
    })
    inner.on('error', () => response.destroy())
    inner.end(body)
  })
  return listenForTest(server)
}

/**
 * Returns ports that were free a moment ago, for programs that need theirs in advance. They are below
 * those that the system gives to servers of other tests.
 */
export async function findFreePorts(count: number): Promise<number[]> {
  const ports = new Set<number>()
  while (ports.size < count) {
    const port = randomInt(20_000, 30_000)
    const server = createServer().listen(port, '127.0.0.1')
    const isFree = await once(server, 'listening').then(
      () => true,
      () => false,
    )
    server.close()
    if (isFree) ports.add(port)
  }
  return [...ports]
}

export interface TrapServer {
  readonly url: string
  readonly host: string
  /** Every request, as `METHOD path`; connections without a request also count. */
  readonly visits: readonly string[]
}

/** Listens at an address that only an attacker names, so no request may arrive. */
export async function startTrapServer(): Promise<TrapServer> {
  const visits: string[] = []
  const server = createServer((request, response) => {
    visits.push(`${request.method} ${request.url}`)
    response.writeHead(200, { 'content-type': 'application/json' }).end('{}')
  })
  server.on('connection', () => visits.push('connection'))
  const url = await listenForTest(server)
  return { url, host: new URL(url).host, visits }
}

export interface Proxy {
  readonly port: number
  /** Keeps connections open but forwards no data, like a network that has lost the other side. */
  hold(): void
  /** Forwards new connections again; the held ones are closed. */
  release(): void
}

/** A TCP proxy to a port of this machine; it ends with the running test. */
export async function startProxy(target: number): Promise<Proxy> {
  const sockets = new Set<Socket>()
  let isHeld = false
  const server = createTcpServer((near) => {
    const far = connect(target, '127.0.0.1')
    for (const [from, to] of [
      [near, far],
      [far, near],
    ] as const) {
      sockets.add(from)
      from.on('data', (bytes) => {
        if (!isHeld) to.write(bytes)
      })
      from.on('error', () => {})
      from.on('close', () => {
        sockets.delete(from)
        to.destroy()
      })
    }
  })
  const { port } = new URL(await listenOn(server))
  const endAll = () => {
    for (const socket of sockets) socket.destroy()
  }
  onTestFinished(() => {
    server.close()
    endAll()
  })
  return {
    port: Number(port),
    hold() {
      isHeld = true
    },
    release() {
      isHeld = false
      endAll()
    },
  }
}

const folder = resolve(import.meta.dirname, '../conformance/fixtures/tls')

/** The CA that Node must trust (NODE_EXTRA_CA_CERTS) to reach such a proxy. */
export const certificateFile = join(folder, 'certificate.pem')

/** Starts a proxy for a server on this machine, like a tunnel: https outside, http inside. */
export async function startTlsProxy(port: number): Promise<{ origin: string; close(): void }> {
  const key = readFileSync(join(folder, 'key.pem'))
  const cert = readFileSync(certificateFile)
  const server = createHttpsServer({ key, cert }, (request, response) => {
    const { method, url: path, headers } = request
    const options = { host: '127.0.0.1', port, method, path, headers }
    const inner = forward(options, (answer) => {
      response.writeHead(answer.statusCode ?? 502, answer.headers)
      answer.pipe(response)
    })
    inner.on('error', () => response.destroy())
    request.pipe(inner)
  })
  const origin = await listenOn(server)
  return {
    origin: origin.replace('http:', 'https:'),
    close() {
      server.close()
      server.closeAllConnections()
    },
  }
}

/** A fetch that connects from another loopback address: a client on another host, to a server. */
export function fetchFrom(localAddress: string): typeof globalThis.fetch {
  const dispatcher = new Agent({ localAddress })
  onTestFinished(() => dispatcher.close())
  const send = (url: string, init: object) => fetch(url, { ...init, dispatcher })
  return send as unknown as typeof globalThis.fetch
}

/** The status of a request with a Host header that `fetch` would not send. */
export function requestAs(
  host: string,
  url: string,
  options: object,
  body?: string,
): Promise<number> {
  return new Promise((resolve, reject) => {
    forward(url, { ...options, setHost: false }, (response) => {
      response.resume()
      resolve(response.statusCode ?? 0)
    })
      .on('error', reject)
      .setHeader('host', host)
      .end(body)
  })
}

/** The statuses of requests on one connection: each waits until the server has ended the last one. */
export async function requestInTurn(
  origin: string,
  requests: readonly { readonly method: string; readonly path: string }[],
  headers: Readonly<Record<string, string>> = {},
): Promise<(number | undefined)[]> {
  const agent = new KeepAliveAgent({ keepAlive: true, maxSockets: 1 })
  onTestFinished(() => agent.destroy())
  const statuses: (number | undefined)[] = []
  for (const request of requests) {
    const sent = forward(origin, { ...request, headers, agent }).end()
    const [response] = (await once(sent, 'response')) as [IncomingMessage]
    response.resume()
    await once(response, 'end')
    statuses.push(response.statusCode)
  }
  return statuses
}
