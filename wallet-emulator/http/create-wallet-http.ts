import { isTestbedError } from '#core/errors/testbed-error.ts'
import { type CounterpartAnswer, walletError } from '../wallet-error.ts'
import { checkAddress, type LookUpHost } from './check-address.ts'

/** What the wallet needs of `fetch`. */
export type FetchLike = (url: string, init: RequestInit) => Promise<Response>

/** How a wallet reaches others, and whom. */
export interface WalletHttpOptions {
  readonly fetch?: FetchLike
  /** Sent with each request, for example `x-scenario-id`. */
  readonly headers?: Readonly<Record<string, string>>
  /** For one request, from first byte to last; by default 10 seconds. */
  readonly timeoutMilliseconds?: number
  /** By default 1 MiB. */
  readonly maxResponseBytes?: number
  /** By default false. */
  readonly allowPrivateAddresses?: boolean
  readonly lookUp?: LookUpHost
  readonly signal?: AbortSignal
  /** Called after each answer. */
  readonly onExchange?: (exchange: HttpExchange) => void
}

/** One request that was answered. */
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
}

export interface WalletResponse {
  readonly url: string
  readonly status: number
  readonly contentType: string
  readonly text: string
  /** The value of a JSON body, whatever content type it came with; undefined where it is none. */
  readonly json: unknown
  /** The header Retry-After, where there is one. */
  readonly retryAfter?: string
}

/** The way out of a wallet. */
export interface WalletHttp {
  /**
   * Sends one request. Answers of any status are given back; a TestbedError `address_refused`,
   * `redirect_refused`, `response_too_large` or `unreachable` is thrown where there is none to give.
   */
  request(url: string, request?: WalletRequest): Promise<WalletResponse>
}

/**
 * The wallet's only way out: addresses are held against the policy, no redirect is followed, sizes
 * and times are bounded.
 *
 * @assumption A-29
 */
export function createWalletHttp({
  fetch = globalThis.fetch,
  headers = {},
  timeoutMilliseconds = 10_000,
  maxResponseBytes = 1024 * 1024,
  allowPrivateAddresses = false,
  lookUp,
  signal,
  onExchange,
}: WalletHttpOptions = {}): WalletHttp {
  const policy = { allowPrivateAddresses, ...(lookUp ? { lookUp } : {}) }

  async function send(url: string, init: RequestInit, ends: AbortSignal): Promise<WalletResponse> {
    // Resolvers of names have no time limit of their own.
    const refusal = await until(ends, checkAddress(url, policy))
    if (refusal !== undefined) {
      throw walletError('address_refused', `The wallet does not fetch ${url}: ${refusal}.`)
    }
    const response = await fetch(url, { ...init, redirect: 'manual', signal: ends })
    const { status } = response
    if (response.type === 'opaqueredirect' || (status >= 300 && status < 400)) {
      await response.body?.cancel()
      throw walletError('redirect_refused', `${url} sends the wallet elsewhere.`)
    }
    const text = await readBounded(response, maxResponseBytes, url)
    const contentType = response.headers.get('content-type') ?? ''
    const retryAfter = response.headers.get('retry-after')
    const known = { url, status, contentType, text, json: parseJson(text) }
    return retryAfter === null ? known : { ...known, retryAfter }
  }

  return {
    async request(url, { method = 'GET', headers: ownHeaders = {}, body } = {}) {
      const timeout = AbortSignal.timeout(timeoutMilliseconds)
      const ends = signal ? AbortSignal.any([signal, timeout]) : timeout
      const began = performance.now()
      const sent = { 'user-agent': 'lear-testbed/wallet', ...headers, ...ownHeaders }
      const init = { method, headers: sent, ...(body === undefined ? {} : { body }) }
      const response = await send(url, init, ends).catch((cause) => {
        signal?.throwIfAborted()
        if (isTestbedError(cause)) throw cause
        const reason = timeout.aborted
          ? `did not answer within ${timeoutMilliseconds} ms`
          : 'could not be reached'
        throw walletError('unreachable', `${url} ${reason}.`, { cause })
      })
      const milliseconds = performance.now() - began
      onExchange?.({ method, url, status: response.status, milliseconds })
      return response
    },
  }
}

/** Settles as the promise does, unless the signal ends before. */
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
      throw walletError('response_too_large', `${url} answered with more than ${limit} bytes.`)
    }
    chunks.push(chunk)
  }
  return Buffer.concat(chunks).toString('utf8')
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** What the other side said when it refused, whatever members it said it in. */
export function describeRefusal({ url, status, json }: WalletResponse): CounterpartAnswer {
  const body = typeof json === 'object' && json !== null ? (json as Record<string, unknown>) : {}
  const texts = [body.error_description, body.message, body.detail]
  const errorDescription = texts.find((text) => typeof text === 'string')
  return {
    url,
    status,
    ...(typeof body.error === 'string' ? { error: body.error } : {}),
    ...(errorDescription === undefined ? {} : { errorDescription }),
  }
}

/** One sentence for people: "http://… answered 400 invalid_grant: The code has expired." */
export function sentenceOf({ url, status, error, errorDescription }: CounterpartAnswer): string {
  const name = error === undefined ? '' : ` ${error}`
  const text = errorDescription === undefined ? '.' : `: ${errorDescription}`
  return `${url} answered ${status}${name}${text}`
}
