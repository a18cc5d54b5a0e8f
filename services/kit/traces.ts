/** A rule that the answering part evaluated on the message, with the result. */
export interface RuleVerdict {
  /** Stable name, for example `credential.power`. */
  readonly rule: string
  readonly passed: boolean
  /** The condition of the rule. */
  readonly statement?: string
  /** The input that it was evaluated on, if there are several, for example `hops[1]`. */
  readonly path?: string
  /** Why the rule failed. */
  readonly reasons?: readonly string[]
  /** How to fix the request, if it breaks the rule. */
  readonly fix?: string
  /** Remarks that apply even if the rule passes. */
  readonly notes?: readonly string[]
}

/**
 * One recorded exchange between two parts. Secrets are masked before it is readable; tokens stay
 * readable (without their signature), so that reports can decode them.
 */
export interface Hop {
  readonly id: number
  /** Unix time in milliseconds at which the request arrived. */
  readonly at: number
  readonly durationMilliseconds: number
  readonly requestId?: string
  readonly scenarioId?: string
  /** The environment of the part that recorded it; a part that several share records none. */
  readonly environment?: string
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
   * Records an exchange. Calls `describe` once, when the hop is read: masking and decoding would
   * slow down every request, and most hops are never read. The function lives as long as the hop,
   * so it must not hold the request, its response or their socket.
   * @param bytes size of address, headers and bodies, which limits how many hops are kept
   * @param endedAt Unix milliseconds by the machine's clock; default: now
   */
  record(describe: () => Omit<Hop, 'id'>, bytes: number, endedAt?: number): void
  /** If false, callers skip the capturing. */
  readonly enabled: boolean
}

export const noTraces: TraceSink = { enabled: false, record: () => {} }
