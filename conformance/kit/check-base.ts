import type { HttpClient } from '#scenarios/harness/http-client.ts'
import type { ExchangeLog } from './evidence/create-exchange-log.ts'

/** What every check of every plan gets. */
export interface CheckBase {
  /** Everything that was sent and received, for the evidence. */
  readonly exchanges: ExchangeLog
  /**
   * HTTP in a part that the kit plays (`wallet`, `relying-party`, …), with the system under test or
   * with another one that stands beside it; recorded.
   */
  httpAs(part: string, to?: string): HttpClient
  /** Controls that held in this run, by name: a check that shows one by the way adds it. */
  readonly proven: Set<string>
  /** Unix seconds. */
  readonly now: () => number
  /** Ends with the check's time limit or an interrupt. */
  readonly signal: AbortSignal
}
