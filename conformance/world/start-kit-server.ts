import {
  createServer,
  type IncomingHttpHeaders,
  type IncomingMessage,
  type ServerResponse,
} from 'node:http'
import type { AddressInfo } from 'node:net'
import { type NetworkInterfaceInfo, networkInterfaces } from 'node:os'
import type { ExchangeLog } from '../kit/evidence/exchange-log.ts'

const addressesOfThisMachine = () =>
  Object.values(networkInterfaces()).flatMap((addresses = []) => addresses)

/**
 * The host under which clients reach a server bound to an address: that address itself. For an
 * address that means all interfaces, it is this machine's first external IPv4 address, else
 * loopback.
 */
export function reachableHost(
  bind: string,
  addresses: readonly Pick<
    NetworkInterfaceInfo,
    'address' | 'family' | 'internal'
  >[] = addressesOfThisMachine(),
): string {
  if (bind !== '0.0.0.0' && bind !== '::') return bind.includes(':') ? `[${bind}]` : bind
  const inNetwork = addresses.find(({ family, internal }) => family === 'IPv4' && !internal)
  return inNetwork?.address ?? '127.0.0.1'
}

/** A request to a part that the kit plays. */
export interface ServedRequest {
  readonly method: string
  /** Below the prefix, with a leading slash: `/token`. */
  readonly path: string
  readonly query: URLSearchParams
  /** The undecoded query with its question mark; empty if there is none. */
  readonly search: string
  readonly headers: IncomingHttpHeaders
  readonly body: string
}

/** The reaction of the part: an answer, silence until the client gives up, or a cut connection. */
export type ServedAnswer =
  | {
      readonly status: number
      readonly contentType?: string
      readonly headers?: Readonly<Record<string, string>>
      readonly body?: string
    }
  | 'hang'
  | 'drop'

type Serve = (request: ServedRequest) => Promise<ServedAnswer> | ServedAnswer

/** The one HTTP server of the kit; all parts that it plays are below its origin. */
export interface KitServer {
  /** Its address for the system under test, without a trailing slash. */
  readonly origin: string
  /** Its address on this machine, regardless of how the system under test reaches it. */
  readonly localOrigin: string
  /**
   * Serves everything below a prefix (`/verifier/7f3a`, or an empty string for all other paths);
   * the longest prefix wins. Returns a function that stops it.
   */
  mount(prefix: string, part: string, serve: Serve): () => void
  /**
   * Serves a prefix that does not belong to a protocol, without a trace in the evidence: the pages
   * for the person who holds the wallet. Returns a function that stops it.
   */
  handle(prefix: string, handler: RequestHandler): () => void
  close(): Promise<void>
}

type RequestHandler = (request: IncomingMessage, response: ServerResponse) => void

export interface KitServerOptions {
  readonly exchanges: ExchangeLog
  /** Name of the clients, in the evidence: `wallet under test`. */
  readonly caller: string
  /** By default loopback; a phone needs a network address. */
  readonly bind?: string | undefined
  /** By default a free port. */
  readonly port?: number | undefined
  /** Its address for the system under test, if it differs from the bound address. */
  readonly publicUrl?: string | undefined
}

/**
 * Wallets may be web pages. Their preflight requests are not recorded: the browser sends them.
 *
 * @assumption A-61
 */
const openToPages = {
  'access-control-allow-origin': '*',
  'access-control-expose-headers': 'Retry-After, WWW-Authenticate',
}

const longestBody = 2 * 1024 * 1024

/**
 * Starts the server that plays the counterparts of a system under test and records the requests.
 * @throws Error with the code EADDRINUSE if the port is taken
 */
export async function startKitServer(options: KitServerOptions): Promise<KitServer> {
  const { exchanges, caller, bind = '127.0.0.1', port = 0 } = options
  let origin = ''
  const mounts = new Map<string, { part: string; serve: Serve }>()
  const handlers = new Map<string, RequestHandler>()

  const find = (pathname: string) => {
    // A run mounts thousands of prefixes: ask for each prefix of the path, the longest first.
    for (let prefix = pathname; ; prefix = prefix.slice(0, prefix.lastIndexOf('/'))) {
      const mount = mounts.get(prefix)
      if (mount) return { ...mount, prefix }
      if (prefix === '') return undefined
    }
  }

  const answerRequest = async (request: IncomingMessage, response: ServerResponse) => {
    const began = performance.now()
    // A path such as //token is not relative: token would be the host.
    const url = new URL((request.url ?? '/').replace(/^\//, 'http://kit/'))
    const handled = [...handlers].find(([prefix]) => url.pathname.startsWith(`${prefix}/`))
    if (handled) return handled[1](request, response)
    if (isPreflight(request)) return answerPreflight(request, response)
    const { method = 'GET', headers } = request
    const { body, isTooLong } = await readBody(request)
    const search = /\?.*/.exec(request.url ?? '')?.[0] ?? ''
    const found = find(url.pathname)
    const path = url.pathname.slice(found?.prefix.length ?? 0) || '/'
    const query = url.searchParams
    const answer: ServedAnswer = isTooLong
      ? { status: 413 }
      : await serveRequest(found, { method, path, query, search, headers, body })
    const sent = typeof answer === 'string' ? { status: 0, body: `(${answer})` } : answer
    exchanges.add({
      from: caller,
      to: found?.part ?? 'kit',
      method,
      url: `${origin}${url.pathname}${url.search}`,
      requestHeaders: plainHeaders(headers),
      requestBody: body,
      status: sent.status,
      responseHeaders: { 'content-type': contentTypeOf(sent), ...headersOf(sent) },
      responseBody: sent.body ?? '',
      durationMilliseconds: performance.now() - began,
    })
    if (answer === 'hang') return
    if (answer === 'drop') return void request.socket.destroy()
    response.writeHead(answer.status, {
      ...openToPages,
      'content-type': contentTypeOf(answer),
      ...answer.headers,
    })
    response.end(answer.body ?? '')
  }
  // A client may break off or send an invalid address: that ends its connection, but not the run.
  const server = createServer((request, response) =>
    answerRequest(request, response).catch(() => response.destroy()),
  )

  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(port, bind, resolve)
  })
  const listening = (server.address() as AddressInfo).port
  const localOrigin = `http://${reachableHost(bind, [])}:${listening}`
  origin = options.publicUrl ?? `http://${reachableHost(bind)}:${listening}`
  return {
    origin,
    localOrigin,
    mount(prefix, part, serve) {
      mounts.set(prefix, { part, serve })
      return () => mounts.delete(prefix)
    },
    handle(prefix, handler) {
      handlers.set(prefix, handler)
      return () => handlers.delete(prefix)
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

const isPreflight = ({ method, headers }: IncomingMessage) =>
  method === 'OPTIONS' && headers['access-control-request-method'] !== undefined

function answerPreflight({ headers }: IncomingMessage, response: ServerResponse): void {
  response.writeHead(204, {
    ...openToPages,
    'access-control-allow-methods': 'GET, POST',
    'access-control-allow-headers': headers['access-control-request-headers'] ?? '',
  })
  response.end()
}

/** The body as text, without what is above the limit. */
async function readBody(request: IncomingMessage) {
  const chunks: Buffer[] = []
  let length = 0
  for await (const chunk of request) {
    length += chunk.length
    if (length <= longestBody) chunks.push(chunk)
  }
  return { body: Buffer.concat(chunks).toString('utf8'), isTooLong: length > longestBody }
}

/** The answer of a part. A request for which it throws is recorded, and answered with 500. */
async function serveRequest(
  part: { readonly serve: Serve } | undefined,
  request: ServedRequest,
): Promise<ServedAnswer> {
  if (part === undefined) return { status: 404, body: '{"error":"not_found"}' }
  try {
    return await part.serve(request)
  } catch (error) {
    const error_description = `Internal error in the conformance kit: ${error}`
    return { status: 500, body: JSON.stringify({ error: 'server_error', error_description }) }
  }
}

type FullAnswer = Exclude<ServedAnswer, string>

const headersOf = (answer: FullAnswer) => answer.headers ?? {}

const contentTypeOf = ({ contentType = 'application/json' }: FullAnswer) => contentType

function plainHeaders(headers: IncomingHttpHeaders): Record<string, string> {
  return Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [name, [value].flat().join(', ')]),
  )
}
