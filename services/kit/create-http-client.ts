import { createRequire } from 'node:module'
import type { Agent as AgentClass, Dispatcher } from 'undici'
import {
  headerNamesInLowerCase,
  type ReceivedResponse,
  receivedHeaders,
  receiveResponse,
} from '#core/http/messages.ts'
import { maskText } from '#core/json/mask-secrets.ts'
import { parseJson } from '#core/json/read-json.ts'
import { dependencyUnavailable } from './errors.ts'
import { currentRequest, refuseCutWork } from './request-context.ts'
import type { FaultName, Runtime } from './runtime.ts'

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
  /** Shorter than that of the client. */
  readonly timeoutMilliseconds?: number
  /** Closes the connection while the response is incomplete. */
  readonly signal?: AbortSignal
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

interface Limits {
  readonly milliseconds: number
  /** Largest accepted body in bytes. */
  readonly bytes: number
}

const require = createRequire(import.meta.url)
let agent: AgentClass | undefined

/** Keeps connections open. A process that calls nothing does not load it. */
function openAgent(): AgentClass {
  // undici's main module loads four times as much, fetch for example.
  const Agent: typeof AgentClass = require('undici/lib/dispatcher/agent.js')
  return new Agent()
}

const decoder = new TextDecoder()

/** Sends a request and collects the whole response. */
export async function exchange(
  options: Dispatcher.DispatchOptions,
  limits: Limits,
  signal?: AbortSignal,
): Promise<ReceivedResponse> {
  agent ??= openAgent()
  const dispatcher = agent
  const { response, abort } = receiveResponse(
    (handler) => dispatcher.dispatch({ ...options, headersTimeout: 0, bodyTimeout: 0 }, handler),
    limits.bytes,
  )
  const timer = setTimeout(() => {
    abort(new Error('The operation was aborted due to timeout'))
  }, limits.milliseconds).unref()
  const stop = () => abort(new Error('The operation was aborted'))
  signal?.addEventListener('abort', stop)
  try {
    return await response
  } finally {
    clearTimeout(timer)
    signal?.removeEventListener('abort', stop)
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

/** Throws in cut work, and like `fetch` if a fault makes a dependency look unreachable. */
export function refuseUnreachable({ faults }: Runtime, names: readonly FaultName[]): void {
  refuseCutWork()
  if (names.some((name) => faults.isActive(name))) {
    throw new TypeError('fetch failed', { cause: new Error('connect ECONNREFUSED (injected)') })
  }
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
  const { origin } = new URL(base)
  const sentWithEach = headerNamesInLowerCase(options.headers)

  /** Checks that the request may be sent. */
  const admit = (url: URL): void => {
    if (url.origin !== origin) {
      throw new TypeError(`${dependency} is at ${origin}; the request to ${url} was rejected`)
    }
    refuseUnreachable(runtime, faults)
  }

  /** If the dependency hangs, rejects at the end of the time limit. */
  const hang = async (signal: () => AbortSignal): Promise<void> => {
    if (slowFault === undefined || !runtime.faults.isActive(slowFault)) return
    const limited = signal()
    limited.throwIfAborted()
    await new Promise((_resolve, reject) => {
      limited.addEventListener('abort', () => reject(limited.reason))
    })
  }

  /** Headers of every request, which its sender cannot override. */
  const ownHeaders = (): Record<string, string> => {
    const context = currentRequest()
    return {
      'user-agent': `lear-testbed/${caller}`,
      ...(context !== undefined && { 'x-request-id': context.requestId }),
      ...(context?.scenarioId !== undefined && { 'x-scenario-id': context.scenarioId }),
      ...sentWithEach,
    }
  }

  const guardedFetch: typeof globalThis.fetch = async (input, init = {}) => {
    const timeout = AbortSignal.timeout(timeoutMilliseconds)
    const signal = init.signal ? AbortSignal.any([timeout, init.signal]) : timeout
    admit(new URL(input instanceof Request ? input.url : String(input)))
    await hang(() => signal)
    const headers = new Headers(input instanceof Request ? input.headers : undefined)
    new Headers(init.headers).forEach((value, name) => {
      headers.set(name, value)
    })
    for (const [name, value] of Object.entries(ownHeaders())) headers.set(name, value)
    return globalThis.fetch(input, { ...init, headers, signal, redirect: 'manual' })
  }

  const request = async (path: string, sent: HttpRequest = {}): Promise<HttpAnswer> => {
    const { body, type } = encodeBody(sent)
    const milliseconds = Math.min(
      sent.timeoutMilliseconds ?? Number.POSITIVE_INFINITY,
      timeoutMilliseconds,
    )
    const url = /^https?:/.test(path) ? path : `${base}${path}`
    const method = sent.method ?? (body === undefined ? 'GET' : 'POST')
    try {
      const target = new URL(url)
      admit(target)
      await hang(() => AbortSignal.timeout(milliseconds))
      const { status, headers, bytes } = await exchange(
        {
          origin,
          path: `${target.pathname}${target.search}`,
          method: method as Dispatcher.HttpMethod,
          headers: {
            ...(type === undefined ? {} : { 'content-type': type }),
            ...headerNamesInLowerCase(sent.headers),
            ...ownHeaders(),
            ...(sent.userAgent !== undefined && { 'user-agent': sent.userAgent }),
          },
          ...(body !== undefined && { body }),
        },
        { milliseconds, bytes: limit },
        sent.signal,
      )
      const text = decoder.decode(bytes)
      return {
        status,
        get headers() {
          return receivedHeaders(headers)
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
      throw dependencyUnavailable(`The ${dependency} did not respond.`, detail, cause)
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
