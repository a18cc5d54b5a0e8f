import type { Hop } from './z-control-answers.ts'
import type { ScenarioHop } from './z-results.ts'

/** Collects the recorded hops of a run and separates them by scenario. */
export interface HopCollector {
  /** Fetches the hops since the last call. Without a trace source it does nothing. */
  collect(): Promise<void>
  /** Hops of one scenario so far, in the order in which they began. */
  hopsOf(runId: string): ScenarioHop[]
  /** Id of the last one that was collected. */
  readonly last: number
  /**
   * Whether a hop above this id changed something, and was caused neither by one of these runs nor
   * by a harness.
   */
  hasForeignChange(since: number, runIds: ReadonlySet<string>): boolean
  /**
   * How many transactions above this id the chain has accepted from services, regardless of their
   * client.
   */
  countTransactions(since: number): number
}

/** A hop belongs to the step that caused it, even if it happens later (a queued notification). */
export function createHopCollector(
  readTraces: (since: number) => Promise<readonly Hop[]>,
): HopCollector {
  const byRun = new Map<string, ScenarioHop[]>()
  const changes: { readonly id: number; readonly runId: string | undefined }[] = []
  const transactions: number[] = []
  let since = 0
  let underWay: Promise<void> | undefined

  async function fetchNew(): Promise<void> {
    for (const hop of await readTraces(since)) {
      since = Math.max(since, hop.id)
      const tag = hop.scenarioId === undefined ? undefined : readTag(hop.scenarioId)
      if (hop.scenarioId !== harnessTag && changesSomething(hop))
        changes.push({ id: hop.id, runId: tag?.runId })
      if (isTransaction(hop)) transactions.push(hop.id)
      if (tag === undefined) continue
      const hops = byRun.get(tag.runId) ?? []
      hops.push({ ...hop, step: tag.step })
      byRun.set(tag.runId, hops)
    }
  }

  return {
    async collect() {
      // One at a time: two overlapping calls would both fetch, and keep, the same hops.
      const previous = underWay
      const mine = (async () => {
        await previous?.catch(() => {})
        await fetchNew()
      })()
      underWay = mine
      await mine
    },
    hopsOf: (runId) => orderHops(byRun.get(runId) ?? []),
    get last() {
      return since
    },
    hasForeignChange: (after, runIds) =>
      changes.some(({ id, runId }) => id > after && !(runId !== undefined && runIds.has(runId))),
    countTransactions: (after) => transactions.filter((id) => id > after).length,
  }
}

/** Value of `x-scenario-id` for a step: `suite/name/algorithm@run:step`. */
export const tagOf = (runId: string, step: number) => `${runId}:${step}`

/**
 * Value of `x-scenario-id` for requests of the harness outside of scenarios: restoring, reading.
 */
export const harnessTag = 'harness'

function readTag(tag: string): { runId: string; step: number } | undefined {
  const [, runId, step] = tag.match(/^(.+@[^:]+):(\d+)$/) ?? []
  return runId === undefined ? undefined : { runId, step: Number(step) }
}

const reading = ['GET', 'HEAD', 'OPTIONS']

/**
 * Whether an exchange may have changed the state of a testbed: a successful request that does more
 * than read, a page that redirects, as a login does, a transaction, an email.
 */
function changesSomething(hop: Hop): boolean {
  const { kind, method, status } = hop
  if (kind === 'chain') return isTransaction(hop)
  if (status >= 400) return false
  return !reading.includes(method) || status >= 300
}

/** Whether it is a transaction that the chain has accepted: the answer is its hash. */
const isTransaction = ({ kind, url, responseBody }: Hop): boolean =>
  kind === 'chain' && url === 'eth_sendRawTransaction' && typeof responseBody === 'string'

/**
 * Ids count up as exchanges end, so within a millisecond the exchange that ended first comes first.
 */
const byTime = (one: ScenarioHop, other: ScenarioHop) =>
  one.step - other.step || one.at - other.at || one.id - other.id

/** Whether `inner` happened in order to answer `outer`. */
const isWithin = (inner: ScenarioHop, outer: ScenarioHop) =>
  inner.requestId !== undefined &&
  inner.requestId === outer.requestId &&
  inner.from === outer.to &&
  inner.at >= outer.at &&
  inner.id < outer.id

/**
 * Orders hops as a story: by step, then by time. Requests that a part makes in order to answer come
 * right after the request that it answers. Times alone are not sufficient: a call and those within
 * it often begin in the same millisecond, and the clock may be moved between steps.
 */
export function orderHops(hops: readonly ScenarioHop[]): ScenarioHop[] {
  const sorted = hops.toSorted(byTime)
  const byRequest = Map.groupBy(sorted, ({ requestId }) => requestId)
  const innerOf = new Map<ScenarioHop | undefined, ScenarioHop[]>()
  for (const hop of sorted) {
    const outer = (byRequest.get(hop.requestId) ?? [])
      .filter((other) => isWithin(hop, other))
      // The innermost of the surrounding exchanges ends first.
      .sort((one, other) => one.id - other.id)[0]
    innerOf.set(outer, [...(innerOf.get(outer) ?? []), hop])
  }
  const flatten = (outer: ScenarioHop | undefined): ScenarioHop[] =>
    (innerOf.get(outer) ?? []).flatMap((hop) => [hop, ...flatten(hop)])
  return flatten(undefined)
}
