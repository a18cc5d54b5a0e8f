import {
  contentTypeOf,
  createHttpClient,
  type HttpAnswer,
  type HttpClient,
  methodOf,
} from '#scenarios/harness/http-client.ts'
import type { ExchangeLog } from './evidence/exchange-log.ts'

export interface RecordedHttpOptions {
  /** The part that the kit plays. */
  readonly part: string
  /** The part that it talks to, for the evidence. */
  readonly to: string
  readonly exchanges: ExchangeLog
  /** Name of the check, sent as `x-scenario-id`. */
  readonly checkId: string
  readonly signal: AbortSignal
}

/** The HTTP client of a part that the kit plays; everything it sends and receives is evidence. */
export function createRecordedHttp(options: RecordedHttpOptions): HttpClient {
  const { part, to, exchanges, checkId, signal } = options
  const http = createHttpClient({
    caller: part,
    scenarioId: () => checkId,
    signal,
  })
  return {
    fetch: exchanges.fetchAs(part, to, http.fetch),
    tags: http.tags,
    async request(url, request = {}) {
      const began = performance.now()
      const { headers = {}, json, form, body } = request
      const type = contentTypeOf(request)
      const record = (answer?: HttpAnswer, problem?: unknown) =>
        exchanges.add({
          from: part,
          to,
          method: methodOf(request),
          url,
          status: answer?.status ?? 0,
          durationMilliseconds: performance.now() - began,
          requestHeaders: {
            ...(type && { 'content-type': type }),
            ...(request.isChunked && { 'transfer-encoding': 'chunked' }),
            ...headers,
          },
          requestBody: json ?? form ?? (typeof body === 'string' ? body : undefined),
          responseHeaders: Object.fromEntries(answer?.headers ?? []),
          responseBody: answer ? (answer.json ?? answer.text) : `(no response: ${problem})`,
        })
      const answer = await http.request(url, request).catch((error: unknown) => {
        record(undefined, error)
        throw error
      })
      record(answer)
      return answer
    },
  }
}

/**
 * Proxies send the requested host in these headers. A client can send them too: if a system creates
 * its addresses from them, and its answer is cached, other clients go to a host of an attacker.
 */
export const forwardedHost: Readonly<Record<string, string>> = {
  forwarded: 'host=forwarded.example',
  'x-forwarded-host': 'forwarded.example',
}
