import { createRequire } from 'node:module'
import { Readable } from 'node:stream'
import type { Agent as AgentClass, Dispatcher } from 'undici'
import { headerNamesInLowerCase, receivedHeaders, receiveResponse } from '#core/http/messages.ts'
import { parseJson } from '#core/json/read-json.ts'
import { noAnswer } from '#scenarios/errors.ts'

export interface HttpRequest {
  readonly method?: string
  readonly headers?: Readonly<Record<string, string>>
  /** Sent as JSON. */
  readonly json?: unknown
  /** Sent as application/x-www-form-urlencoded. */
  readonly form?: Readonly<Record<string, string>>
  readonly body?: string | Uint8Array<ArrayBuffer>
  /** Whether the body is sent in two chunks, without its length (RFC 9112, 7.1). */
  readonly isChunked?: boolean
  /** Ends the request, as the end of the scenario does. */
  readonly signal?: AbortSignal | null
}

interface Received {
  readonly status: number
  readonly headers: Headers
  readonly bytes: Uint8Array<ArrayBuffer>
}

export interface HttpAnswer extends Received {
  readonly method: string
  readonly url: string
  /** Empty if the answer has none. */
  readonly contentType: string
  readonly text: string
  /** `undefined` if the body is not valid JSON. */
  readonly json: unknown
}

export interface HttpClient {
  /** One request; every status is an answer, and no redirect is followed. */
  request(url: string, request?: HttpRequest): Promise<HttpAnswer>
  /** The same client for libraries that require a `fetch`. */
  readonly fetch: typeof globalThis.fetch
  /** The headers that tag each request, for libraries that accept neither. */
  tags(): Record<string, string>
}

export interface HttpClientOptions {
  /** The part that the scenario plays: `portal`, `relying-party`, `wallet`, … */
  readonly caller: string
  /** The current value of `x-scenario-id`, which assigns hops to a scenario and a step. */
  readonly scenarioId: () => string
  readonly signal: AbortSignal
  /** Default: 15 000. */
  readonly timeoutMilliseconds?: number
}

const require = createRequire(import.meta.url)
// The same part of undici as the services: a second copy would be compiled for nothing.
const Agent: typeof AgentClass = require('undici/lib/dispatcher/agent.js')
/** Keeps connections open. */
const agent = new Agent()

/** What sends the requests of `fetch` if it is not Node's own: with NODE_USE_ENV_PROXY, a proxy's. */
function replacedDispatcher(): Dispatcher | undefined {
  const dispatcher = Reflect.get(globalThis, Symbol.for('undici.globalDispatcher.1'))
  return dispatcher?.constructor.name === 'Agent' ? undefined : dispatcher
}

const throughProxy = ({ hostname }: URL) =>
  `. Requests go through the proxy of HTTP_PROXY unless NO_PROXY contains ${hostname}.`

/** Longer than any answer of a system; an endless answer would fill the memory. */
const mostBytes = 16 * 1024 * 1024

const formType = 'application/x-www-form-urlencoded'

/** The method of a request: by default POST if it has a body. */
export const methodOf = ({ method, json, form, body }: HttpRequest): string =>
  method ?? ([json, form, body].every((each) => each === undefined) ? 'GET' : 'POST')

/** The content type that the client sets; undefined for a raw body and without one. */
export const contentTypeOf = ({ json, form }: HttpRequest): string | undefined =>
  json === undefined ? form && formType : 'application/json'

function bodyOf({ json, form, body }: HttpRequest): HttpRequest['body'] {
  if (json !== undefined) return JSON.stringify(json)
  return form === undefined ? body : new URLSearchParams(form).toString()
}

function chunksOf(body: string | Uint8Array): Readable {
  const bytes = Buffer.from(body)
  const middle = bytes.length >> 1
  return Readable.from([bytes.subarray(0, middle), bytes.subarray(middle)])
}

/**
 * The HTTP client of a scenario: it identifies its part and tags each request with the scenario, so
 * that the resulting hops can be assigned to it.
 */
export function createHttpClient(options: HttpClientOptions): HttpClient {
  const { caller, scenarioId, timeoutMilliseconds = 15_000 } = options

  const tags = () => ({
    'user-agent': `lear-testbed/${caller}`,
    'x-scenario-id': scenarioId(),
  })

  const exchange = async (url: string, request: HttpRequest): Promise<Received> => {
    const [type, body] = [contentTypeOf(request), bodyOf(request)]
    const { signal } = request
    const { origin, pathname, search } = new URL(url)
    const signals = signal ? [options.signal, signal] : [options.signal]
    for (const each of signals) each.throwIfAborted()
    const sent = {
      origin,
      path: `${pathname}${search}`,
      method: methodOf(request) as Dispatcher.HttpMethod,
      headers: {
        ...(type === undefined ? {} : { 'content-type': type }),
        ...headerNamesInLowerCase(request.headers),
        ...tags(),
      },
      ...(body ? { body: request.isChunked ? chunksOf(body) : body } : {}),
      headersTimeout: 0,
      bodyTimeout: 0,
    }
    const dispatcher = replacedDispatcher() ?? agent
    const { response, abort } = receiveResponse(
      (handler) => dispatcher.dispatch(sent, handler),
      mostBytes,
    )
    const stop = () => abort(signals.find(({ aborted }) => aborted)?.reason)
    const timer = setTimeout(() => {
      abort(new Error(`it took more than ${timeoutMilliseconds} ms`))
    }, timeoutMilliseconds)
    for (const each of signals) each.addEventListener('abort', stop)
    try {
      const { status, headers, bytes } = await response
      return { status, headers: receivedHeaders(headers), bytes }
    } finally {
      clearTimeout(timer)
      for (const each of signals) each.removeEventListener('abort', stop)
    }
  }

  return {
    fetch: fetchBy(exchange),
    tags,
    async request(url, request = {}) {
      const method = methodOf(request)
      try {
        const { status, headers, bytes } = await exchange(url, request)
        // A byte order mark stays: JSON must not have one (RFC 8259, 8.1), and other clients fail.
        const text = new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes)
        const contentType = headers.get('content-type') ?? ''
        return { method, url, status, headers, contentType, bytes, text, json: parseJson(text) }
      } catch (cause) {
        const reason = cause instanceof Error ? (cause.cause ?? cause) : cause
        const reasonText = reason instanceof Error ? reason.message : String(reason)
        const proxy = replacedDispatcher() === undefined ? '' : throughProxy(new URL(url))
        throw noAnswer(method, url, `${reasonText}${proxy}`, cause)
      }
    },
  }
}

const withoutBody = [204, 205, 304]

/**
 * A fetch by means of another client, for addresses and bodies as strings or forms. It reads the
 * whole answer immediately, so it rejects if the connection breaks off during the answer.
 */
export function fetchBy(
  exchange: (url: string, request: HttpRequest) => Promise<Received>,
): typeof globalThis.fetch {
  return async (input, { method, headers, body, signal } = {}) => {
    if (input instanceof Request) throw new TypeError('only an address is supported')
    const isForm = body instanceof URLSearchParams
    if (!isForm && typeof (body ?? '') !== 'string') {
      throw new TypeError('only a string or a form is supported as body')
    }
    const answer = await exchange(String(input), {
      ...(method !== undefined && { method }),
      headers: {
        ...(isForm && { 'content-type': formType }),
        ...Object.fromEntries(new Headers(headers)),
      },
      ...(body != null && { body: String(body) }),
      ...(signal && { signal }),
    })
    const { status } = answer
    const content = withoutBody.includes(status) ? null : answer.bytes
    return new Response(content, { status, headers: answer.headers })
  }
}
