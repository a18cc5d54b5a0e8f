import { type Dispatcher, request as send } from 'undici'
import { headerNamesInLowerCase, receivedHeaders } from '#core/http/headers.ts'
import { parseJson } from '#core/json/read-json.ts'
import { noAnswer } from '../errors.ts'

export interface HttpRequest {
  readonly method?: string
  readonly headers?: Readonly<Record<string, string>>
  /** Sent as JSON. */
  readonly json?: unknown
  /** Sent as application/x-www-form-urlencoded. */
  readonly form?: Readonly<Record<string, string>>
  readonly body?: string | Uint8Array<ArrayBuffer>
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

const formType = 'application/x-www-form-urlencoded'

function encode({ json, form, body }: HttpRequest): {
  type?: string
  body?: string | Uint8Array<ArrayBuffer>
} {
  if (json !== undefined) return { type: 'application/json', body: JSON.stringify(json) }
  if (form === undefined) return body === undefined ? {} : { body }
  return { type: formType, body: new URLSearchParams(form).toString() }
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

  /** By undici's request: fetch costs three times as much, and a run sends thousands of requests. */
  const exchange = async (url: string, request: HttpRequest): Promise<Received> => {
    const { type, body } = encode(request)
    const signals = [options.signal, AbortSignal.timeout(timeoutMilliseconds)]
    const { method = 'GET', signal } = request
    const answer = await send(url, {
      method: method as Dispatcher.HttpMethod,
      headers: {
        ...(type === undefined ? {} : { 'content-type': type }),
        ...headerNamesInLowerCase(request.headers),
        ...tags(),
      },
      signal: AbortSignal.any(signal ? [...signals, signal] : signals),
      ...(body ? { body } : {}),
    })
    const bytes = await readWholeBody(answer.body)
    return { status: answer.statusCode, headers: receivedHeaders(answer.headers), bytes }
  }

  return {
    fetch: fetchBy(exchange),
    tags,
    async request(url, request = {}) {
      const { json, form, body } = request
      const isEmpty = [json, form, body].every((each) => each === undefined)
      const { method = isEmpty ? 'GET' : 'POST' } = request
      try {
        const { status, headers, bytes } = await exchange(url, { ...request, method })
        const text = new TextDecoder().decode(bytes)
        const contentType = headers.get('content-type') ?? ''
        return { method, url, status, headers, contentType, bytes, text, json: parseJson(text) }
      } catch (cause) {
        const reason = cause instanceof Error ? (cause.cause ?? cause) : cause
        const reasonText = reason instanceof Error ? reason.message : String(reason)
        throw noAnswer(method, url, reasonText, cause)
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

/** Longer than any answer of a system; an endless answer would fill the memory. */
const mostBytes = 16 * 1024 * 1024

/**
 * The bytes of a body, empty if there is none.
 * @throws Error if it is interrupted, or longer than 16 MiB; then the rest is not read
 */
async function readWholeBody(
  body: AsyncIterable<Uint8Array> | null,
): Promise<Uint8Array<ArrayBuffer>> {
  const chunks: Uint8Array[] = []
  let size = 0
  for await (const chunk of body ?? []) {
    size += chunk.byteLength
    if (size > mostBytes) throw new Error(`its body is longer than ${mostBytes} bytes`)
    chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}
