/**
 * One recorded exchange between two parts. Secrets are masked before anybody sees it;
 * tokens stay readable (their signature is cut), so that reports can decode them.
 */
export interface Hop {
  readonly id: number
  /** Unix time in milliseconds at which the request arrived. */
  readonly at: number
  readonly durationMilliseconds: number
  readonly requestId?: string
  readonly scenarioId?: string
  /** Name of the calling part: `wallet`, `browser`, `issuer`, … */
  readonly from: string
  /** Name of the part that answered. */
  readonly to: string
  readonly kind: 'http' | 'chain' | 'mail'
  readonly method: string
  /** Path with query, or the JSON-RPC method; secrets in the query are masked. */
  readonly url: string
  readonly status: number
  readonly requestHeaders?: Readonly<Record<string, string>>
  readonly requestBody?: unknown
  readonly responseHeaders?: Readonly<Record<string, string>>
  readonly responseBody?: unknown
}

export interface TraceSink {
  /**
   * Takes what describes an exchange, and asks for the description once, when somebody reads it:
   * masking and decoding would cost every request, and most hops are never read. The function lives
   * as long as the hop is kept, so it must not hold the request, its response or their socket.
   */
  record(describe: () => Omit<Hop, 'id'>): void
  /** False lets callers skip the work of capturing. */
  readonly enabled: boolean
}

export const noTraces: TraceSink = { enabled: false, record: () => {} }
