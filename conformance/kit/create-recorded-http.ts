import {
  createHttpClient,
  type HttpAnswer,
  type HttpClient,
} from '#scenarios/harness/http-client.ts'
import type { ExchangeLog } from './evidence/create-exchange-log.ts'

export interface RecordedHttpOptions {
  /** The part that the kit plays. */
  readonly part: string
  /** Whom it talks to, for the evidence. */
  readonly to: string
  readonly exchanges: ExchangeLog
  /** Name of the check, sent as `x-scenario-id`. */
  readonly checkId: string
  readonly signal: AbortSignal
  readonly timeoutMilliseconds?: number
}

/** The HTTP client of a part that the kit plays; everything it sends and receives is evidence. */
export function createRecordedHttp(options: RecordedHttpOptions): HttpClient {
  const { part, to, exchanges, checkId, signal, timeoutMilliseconds } = options
  const http = createHttpClient({
    caller: part,
    scenarioId: () => checkId,
    signal,
    ...(timeoutMilliseconds === undefined ? {} : { timeoutMilliseconds }),
  })
  return {
    fetch: exchanges.fetchAs(part, to, http.fetch),
    tags: http.tags,
    async request(url, request = {}) {
      const began = performance.now()
      const { headers = {}, json, form, body } = request
      const contentType =
        json !== undefined
          ? { 'content-type': 'application/json' }
          : form && { 'content-type': 'application/x-www-form-urlencoded' }
      const record = (answer?: HttpAnswer, problem?: unknown) =>
        exchanges.add({
          from: part,
          to,
          method: answer?.method ?? request.method ?? ((contentType ?? body) ? 'POST' : 'GET'),
          url,
          status: answer?.status ?? 0,
          durationMilliseconds: performance.now() - began,
          requestHeaders: { ...contentType, ...headers },
          requestBody: json ?? form ?? (typeof body === 'string' ? body : undefined),
          responseHeaders: Object.fromEntries(answer?.headers ?? []),
          responseBody: answer ? (answer.json ?? answer.text) : `(no answer: ${problem})`,
        })
      try {
        const answer = await http.request(url, request)
        record(answer)
        return answer
      } catch (error) {
        record(undefined, error)
        throw error
      }
    },
  }
}
