import { isTestbedError } from '#core/errors/testbed-error.ts'
import { membersOf } from '#core/json/json-object.ts'
import { parseJson } from '#core/json/read-json.ts'
import { type CounterpartAnswer, walletError } from '../wallet-error.ts'
import { checkAddress, createPublicDispatch, type LookUpHost } from './check-address.ts'

/** The part of `fetch` that the wallet uses. */
export type FetchLike = (url: string, init: RequestInit) => Promise<Response>

/** How the wallet sends requests, and which addresses it may fetch. */
export interface WalletHttpOptions {
  readonly fetch?: FetchLike
  /** Sent with each request, for example `x-scenario-id`. */
  readonly headers?: Readonly<Record<string, string>>
  /** Time limit of a request, including the body. Default: 10 s; lookups take at most 5 s. */
  readonly timeoutMilliseconds?: number
  /** Default: 1 MiB. */
  readonly maxResponseBytes?: number
  /** Default: false. */
  readonly allowPrivateAddresses?: boolean
  readonly lookUp?: LookUpHost
  readonly signal?: AbortSignal
  /** Called after each response. */
  readonly onExchange?: (exchange: HttpExchange) => void
}

/** A request that got a response. */
export interface HttpExchange {
  readonly method: string
  readonly url: string
  readonly status: number
  readonly milliseconds: number
}

export interface WalletRequest {
  readonly method?: 'GET' | 'POST'
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string
  /** A time limit that is shorter than that of the client. */
  readonly timeoutMilliseconds?: number
}

export interface WalletResponse {
  readonly url: string
  readonly status: number
  readonly contentType: string
  readonly text: string
  /** The value of a JSON body, regardless of the content type; undefined if it is not JSON. */
  readonly json: unknown
  /** The header Retry-After, if present. */
  readonly retryAfter?: string
}

/** The HTTP client of a wallet. */
export interface WalletHttp {
  /**
   * Sends a request. Returns responses of any status. Throws a TestbedError `address_refused`,
   * `redirect_refused`, `response_too_large` or `unreachable` if there is no response to return.
   */
  request(url: string, request?: WalletRequest): Promise<WalletResponse>
}

/**
 * Creates the HTTP client that the wallet uses for all requests. It checks addresses against the
 * policy, does not follow redirects, and limits sizes and times.
 *
 * @assumption A-29
 */
export function createWalletHttp({
  fetch: ownFetch,
  headers = {},
  timeoutMilliseconds = 10_000,
  maxResponseBytes = 1024 * 1024,
  allowPrivateAddresses = false,
  lookUp,
  signal,
  onExchange,
}: WalletHttpOptions = {}): WalletHttp {
  const policy = { allowPrivateAddresses, ...(lookUp ? { lookUp } : {}) }
  const fetch = ownFetch ?? globalThis.fetch
  const dispatch = ownFetch || allowPrivateAddresses ? {} : createPublicDispatch(lookUp)

  async function send(url: string, init: RequestInit, ends: AbortSignal): Promise<WalletResponse> {
    // DNS lookups have no time limit.
    const refusal = await until(ends, checkAddress(url, policy))
    if (refusal !== undefined) {
      throw walletError('address_refused', `The wallet does not fetch ${url}: ${refusal}.`)
    }
    const response = await fetch(url, { ...init, ...dispatch, redirect: 'manual', signal: ends })
    const { status } = response
    if (response.type === 'opaqueredirect' || (status >= 300 && status < 400)) {
      // Without waiting: if there is a copy of the response, this ends with that of the copy.
      response.body?.cancel().catch(() => {})
      throw walletError(
        'redirect_refused',
        `${url} returned a redirect, which the wallet does not follow.`,
      )
    }
    const text = await readBounded(response, maxResponseBytes, url)
    const contentType = response.headers.get('content-type') ?? ''
    const retryAfter = response.headers.get('retry-after')
    const known = { url, status, contentType, text, json: parseJson(text) }
    return retryAfter === null ? known : { ...known, retryAfter }
  }

  return {
    async request(url, { method = 'GET', headers: ownHeaders = {}, body, ...own } = {}) {
      const limit = Math.min(own.timeoutMilliseconds ?? timeoutMilliseconds, timeoutMilliseconds)
      // Cleared after each request, unlike the timer of `AbortSignal.timeout`.
      const timeout = new AbortController()
      const timer = setTimeout(() => timeout.abort(), limit)
      const ends = signal ? AbortSignal.any([signal, timeout.signal]) : timeout.signal
      const began = performance.now()
      const sent = { 'user-agent': 'lear-testbed/wallet', ...headers, ...ownHeaders }
      const init = { method, headers: sent, ...(body === undefined ? {} : { body }) }
      const response = await send(url, init, ends)
        .catch((cause) => {
          signal?.throwIfAborted()
          if (isTestbedError(cause)) throw cause
          if (isTestbedError(cause?.cause)) throw cause.cause
          const message = timeout.signal.aborted
            ? `${url} did not respond within ${limit} ms.`
            : `The request to ${url} failed: ${reasonOf(cause)}.`
          throw walletError('unreachable', message, { cause })
        })
        .finally(() => clearTimeout(timer))
      const milliseconds = performance.now() - began
      onExchange?.({ method, url, status: response.status, milliseconds })
      return response
    },
  }
}

/** The innermost error of `fetch`. One for several addresses has a code, but no message. */
function reasonOf(error: unknown): string {
  const { cause, message, code } = Object(error)
  return cause === undefined ? message || code || String(error) : reasonOf(cause)
}

/** Settles like the promise, unless the signal aborts first. */
function until<T>(signal: AbortSignal, promise: Promise<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    const stop = () => reject(signal.reason)
    if (signal.aborted) stop()
    signal.addEventListener('abort', stop, { once: true })
    promise.then(resolve, reject).finally(() => signal.removeEventListener('abort', stop))
  })
}

async function readBounded(response: Response, limit: number, url: string): Promise<string> {
  const chunks: Uint8Array[] = []
  let length = 0
  for await (const chunk of response.body ?? []) {
    length += chunk.length
    if (length > limit) {
      throw walletError('response_too_large', `${url} returned more than ${limit} bytes.`)
    }
    chunks.push(chunk)
  }
  return Buffer.concat(chunks).toString('utf8')
}

/** Describes an error response, from any of the usual members. */
export function describeRefusal({ url, status, json }: WalletResponse): CounterpartAnswer {
  const body = membersOf(json)
  const texts = [body.error_description, body.message, body.detail]
  const errorDescription = texts.find((text) => typeof text === 'string')
  return {
    url,
    status,
    ...(typeof body.error === 'string' ? { error: body.error } : {}),
    ...(errorDescription === undefined ? {} : { errorDescription }),
  }
}

/** One sentence: "http://… returned 400 invalid_grant: The code has expired." */
export function sentenceOf({ url, status, error, errorDescription }: CounterpartAnswer): string {
  const name = error === undefined ? '' : ` ${error}`
  const text = errorDescription === undefined ? '.' : `: ${errorDescription}`
  return `${url} returned ${status}${name}${text}`
}
