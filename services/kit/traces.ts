/**
 * One recorded exchange between two parts. Secrets are masked before it is recorded;
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
  record(hop: Omit<Hop, 'id'>): void
  /** False lets callers skip the work of masking and decoding. */
  readonly enabled: boolean
}

export const noTraces: TraceSink = { enabled: false, record: () => {} }
