/** A rule that whoever answered evaluated on the message, and how that ended. */
export interface RuleVerdict {
  /** Stable name, for example `credential.power`. */
  readonly rule: string
  readonly passed: boolean
  /** What has to hold. */
  readonly statement?: string
  /** Which of several inputs it was evaluated on, for example `hops[1]`. */
  readonly path?: string
  /** Why it is broken. */
  readonly reasons?: readonly string[]
  /** What has to be known although the rule holds. */
  readonly notes?: readonly string[]
}

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
  readonly rules?: readonly RuleVerdict[]
}

export interface TraceSink {
  /**
   * Takes what describes an exchange, and asks for the description once, when somebody reads it:
   * masking and decoding would cost every request, and most hops are never read. The function lives
   * as long as the hop is kept, so it must not hold the request, its response or their socket.
   * @param bodyBytes what the bodies weigh, by which is decided how many hops are kept
   */
  record(describe: () => Omit<Hop, 'id'>, bodyBytes: number): void
  /** False lets callers skip the work of capturing. */
  readonly enabled: boolean
}

export const noTraces: TraceSink = { enabled: false, record: () => {} }
