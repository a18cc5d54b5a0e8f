import { changesSomething, isTransaction } from './changes-something.ts'
import { orderHops } from './order-hops.ts'
import type { Hop } from './z-hop.ts'
import type { ScenarioHop } from './z-results.ts'

/** Gathers the recorded hops of a run and keeps them apart by scenario. */
export interface HopCollector {
  /** Fetches what was recorded since the last time. Without a trace source it does nothing. */
  collect(): Promise<void>
  /** Hops of one scenario so far, in the order in which they began. */
  hopsOf(runId: string): ScenarioHop[]
  /** Id of the last one that was collected. */
  readonly last: number
  /** Whether one above this id changed something, and was set off by none of these runs, nor by a harness. */
  hasForeignChange(since: number, runIds: ReadonlySet<string>): boolean
  /** How many transactions above this id the chain has taken from services, whoever asked for them. */
  countTransactions(since: number): number
}

/** Value of `x-scenario-id` for a step: `suite/name/algorithm@run:step`. */
export const tagOf = (runId: string, step: number) => `${runId}:${step}`

/** Value of `x-scenario-id` for what the harness itself does around scenarios: mending, looking. */
export const harnessTag = 'harness'

function readTag(tag: string): { runId: string; step: number } | undefined {
  const [, runId, step] = tag.match(/^(.+@[^:]+):(\d+)$/) ?? []
  return runId === undefined ? undefined : { runId, step: Number(step) }
}

/** A hop belongs to the step that set it off, also where it happens later (a queued notification). */
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
      // One at a time: two that overlap would both fetch, and keep, the same hops.
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
