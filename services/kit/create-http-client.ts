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
  /** Relative addresses are resolved below it; requests elsewhere are refused. */
  readonly baseUrl: string
  /** Faults that make the dependency look unreachable. */
  readonly faults?: readonly FaultName[]
  /** Fault that makes the dependency hang until the time limit. */
  readonly slowFault?: FaultName
  /** Default: 5000. */
  readonly timeoutMilliseconds?: number
  /** Largest accepted answer in bytes. Default: 1 MiB. */
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
  /** Sent as it is. */
  readonly body?: string | Uint8Array
  /** User-Agent of the client whose request is forwarded. Default: the calling service's own. */
  readonly userAgent?: string
}

export interface HttpAnswer {
  readonly status: number
  readonly headers: Headers
  readonly bytes: Uint8Array
  readonly text: string
  /** The body as JSON; `undefined` where it is none. */
  readonly json: unknown
}

export interface HttpClient {
  /**
   * One request to the dependency. Any HTTP status is an answer; no redirect is followed.
   * @throws TestbedError `dependency_unavailable` (503) when no answer came within the limits
   */
  request(path: string, request?: HttpRequest): Promise<HttpAnswer>
  getJson(path: string, headers?: Readonly<Record<string, string>>): Promise<HttpAnswer>
  postJson(
    path: string,
    json: unknown,
    headers?: Readonly<Record<string, string>>,
  ): Promise<HttpAnswer>
  /** The same seam for libraries that want a `fetch`; it rejects as `fetch` does. */
  readonly fetch: typeof globalThis.fetch
}

async function readWithin(body: AsyncIterable<Uint8Array>, limit: number): Promise<Uint8Array> {
  const chunks: Uint8Array[] = []
  let size = 0
  for await (const chunk of body) {
    size += chunk.byteLength
    if (size > limit) throw new Error(`the answer is larger than ${limit} bytes`)
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
 * The one seam through which a service calls another: it carries the request's identifiers, bounds
 * time and size, follows no redirect, and is where the faults of a dependency are injected.
 * @assumption A-29 bounded fetches, no redirects
 */
export function createHttpClient(runtime: Runtime, options: HttpClientOptions): HttpClient {
  const { caller, dependency, faults = [], slowFault } = options
  const { timeoutMilliseconds = 5000, limit = 1024 * 1024 } = options
  const base = options.baseUrl.replace(/\/$/, '')

  /** Settles with the signal that bounds the request, where it may go out at all. */
  const admit = async (url: string, given?: AbortSignal | null): Promise<AbortSignal> => {
    const { origin } = new URL(base)
    if (new URL(url).origin !== origin) {
      throw new TypeError(`${dependency} is at ${origin}; a request to ${url} was refused`)
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

  /** What every request carries, whatever its sender gave. */
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
      // It costs a third of what fetch does, and follows no redirect by itself.
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
      // It goes to the log, and an address may carry a code that can still be redeemed.
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
