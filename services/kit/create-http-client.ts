import { type Dispatcher, request as send } from 'undici'
import { headerNamesInLowerCase, receivedHeaders } from '#core/http/headers.ts'
import { maskText } from '#core/json/mask-secrets.ts'
import { dependencyUnavailable } from '#kit/errors.ts'
import { currentRequest, refuseCutWork } from '#kit/request-context.ts'
import type { FaultName, Runtime } from '#kit/runtime.ts'

export interface HttpClientOptions {
  /** The calling service, sent as User-Agent `lear-testbed/{caller}`. */
  readonly caller: string
  /** The called service, named in errors. */
  readonly dependency: string
  /** Relative URLs are resolved against it; requests to other servers are rejected. */
  readonly baseUrl: string
  /** Faults that make the dependency look unreachable. */
  readonly faults?: readonly FaultName[]
  /** Fault that makes the dependency hang until the time limit. */
  readonly slowFault?: FaultName
  /** Default: 5000. */
  readonly timeoutMilliseconds?: number
  /** Largest accepted response in bytes. Default: 1 MiB. */
  readonly limit?: number
  /** Sent with every request, for example an API key. */
  readonly headers?: Readonly<Record<string, string>>
}

export interface HttpRequest {
  readonly method?: string
  readonly headers?: Readonly<Record<string, string>>
  /** Sent as JSON. */
  readonly json?: unknown
  /** Sent as a form. */
  readonly form?: Readonly<Record<string, string>>
  /** Sent unchanged. */
  readonly body?: string | Uint8Array
  /** User-Agent of the client whose request is forwarded. Default: that of the calling service. */
  readonly userAgent?: string
}

export interface HttpAnswer {
  readonly status: number
  readonly headers: Headers
  readonly bytes: Uint8Array
  readonly text: string
  /** The body as JSON; `undefined` if it is not valid JSON. */
  readonly json: unknown
}

export interface HttpClient {
  /**
   * Sends one request to the dependency. Returns the response with any HTTP status; does not follow
   * redirects.
   * @throws TestbedError `dependency_unavailable` (503) if no response arrives within the limits
   */
  request(path: string, request?: HttpRequest): Promise<HttpAnswer>
  getJson(path: string, headers?: Readonly<Record<string, string>>): Promise<HttpAnswer>
  postJson(
    path: string,
    json: unknown,
    headers?: Readonly<Record<string, string>>,
  ): Promise<HttpAnswer>
  /** The same client for libraries that require a `fetch`; it rejects like `fetch`. */
  readonly fetch: typeof globalThis.fetch
}

async function readWithin(body: AsyncIterable<Uint8Array>, limit: number): Promise<Uint8Array> {
  const chunks: Uint8Array[] = []
  let size = 0
  for await (const chunk of body) {
    size += chunk.byteLength
    if (size > limit) throw new Error(`the response is larger than ${limit} bytes`)
    chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}

const parseJson = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

function encodeBody(request: HttpRequest): { body?: string | Uint8Array; type?: string } {
  if (request.json !== undefined) {
    return { body: JSON.stringify(request.json), type: 'application/json' }
  }
  if (request.form !== undefined) {
    return {
      body: new URLSearchParams(request.form).toString(),
      type: 'application/x-www-form-urlencoded',
    }
  }
  return request.body === undefined ? {} : { body: request.body }
}

/**
 * The only way for a service to call another. It sends the request's identifiers, limits time and
 * size, ignores redirects, and injects the faults of a dependency.
 * @assumption A-29 bounded fetches, no redirects
 */
export function createHttpClient(runtime: Runtime, options: HttpClientOptions): HttpClient {
  const { caller, dependency, faults = [], slowFault } = options
  const { timeoutMilliseconds = 5000, limit = 1024 * 1024 } = options
  const base = options.baseUrl.replace(/\/$/, '')

  /** Checks that the request may be sent, and returns the signal that limits it. */
  const admit = async (url: string, given?: AbortSignal | null): Promise<AbortSignal> => {
    const { origin } = new URL(base)
    if (new URL(url).origin !== origin) {
      throw new TypeError(`${dependency} is at ${origin}; the request to ${url} was rejected`)
    }
    const timeout = AbortSignal.timeout(timeoutMilliseconds)
    const signal = given ? AbortSignal.any([timeout, given]) : timeout
    refuseCutWork()
    if (faults.some((name) => runtime.faults.isActive(name))) {
      throw new TypeError('fetch failed', { cause: new Error('connect ECONNREFUSED (injected)') })
    }
    if (slowFault !== undefined && runtime.faults.isActive(slowFault)) {
      signal.throwIfAborted()
      await new Promise((_resolve, reject) => {
        signal.addEventListener('abort', () => reject(signal.reason))
      })
    }
    return signal
  }

  /** Headers of every request, which its sender cannot override. */
  const ownHeaders = (): Record<string, string> => {
    const context = currentRequest()
    return {
      'user-agent': `lear-testbed/${caller}`,
      ...(context !== undefined && { 'x-request-id': context.requestId }),
      ...(context?.scenarioId !== undefined && { 'x-scenario-id': context.scenarioId }),
      ...headerNamesInLowerCase(options.headers),
    }
  }

  const guardedFetch: typeof globalThis.fetch = async (input, init = {}) => {
    const signal = await admit(input instanceof Request ? input.url : String(input), init.signal)
    const headers = new Headers(input instanceof Request ? input.headers : undefined)
    new Headers(init.headers).forEach((value, name) => {
      headers.set(name, value)
    })
    for (const [name, value] of Object.entries(ownHeaders())) headers.set(name, value)
    return globalThis.fetch(input, { ...init, headers, signal, redirect: 'manual' })
  }

  const request = async (path: string, sent: HttpRequest = {}): Promise<HttpAnswer> => {
    const { body, type } = encodeBody(sent)
    const url = /^https?:/.test(path) ? path : `${base}${path}`
    const method = sent.method ?? (body === undefined ? 'GET' : 'POST')
    try {
      const signal = await admit(url)
      // It costs a third of a fetch and does not follow redirects by default.
      const answer = await send(url, {
        method: method as Dispatcher.HttpMethod,
        headers: {
          ...(type === undefined ? {} : { 'content-type': type }),
          ...headerNamesInLowerCase(sent.headers),
          ...ownHeaders(),
          ...(sent.userAgent !== undefined && { 'user-agent': sent.userAgent }),
        },
        signal,
        ...(body !== undefined && { body }),
      })
      const bytes = await readWithin(answer.body, limit)
      const text = new TextDecoder().decode(bytes)
      return {
        status: answer.statusCode,
        get headers() {
          return receivedHeaders(answer.headers)
        },
        bytes,
        text,
        get json() {
          return parseJson(text)
        },
      }
    } catch (cause) {
      // It is logged, and a URL may contain a code that can still be redeemed.
      const detail = maskText(`${method} ${url}: ${describe(cause)}`)
      throw dependencyUnavailable(`The ${dependency} did not answer.`, detail, cause)
    }
  }

  return {
    request,
    getJson: (path, headers = {}) =>
      request(path, { headers: { accept: 'application/json', ...headers } }),
    postJson: (path, json, headers = {}) => request(path, { method: 'POST', json, headers }),
    fetch: guardedFetch,
  }
}

function describe(cause: unknown): string {
  if (!(cause instanceof Error)) return String(cause)
  const inner = cause.cause instanceof Error ? `: ${cause.cause.message}` : ''
  return `${cause.message}${inner}`
}
