import type { ScenarioHop } from './z-results.ts'

/** Ids count up as exchanges end, so within a millisecond the one that ended first comes first. */
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
 * Orders hops as a story is told: by step, then by time, and what a part asks of others in order to
 * answer comes right after the question. Times alone don't tell that: a call and those within it
 * often begin in the same millisecond, and the clock may be moved between steps.
 */
export function orderHops(hops: readonly ScenarioHop[]): ScenarioHop[] {
  const sorted = hops.toSorted(byTime)
  const byRequest = Map.groupBy(sorted, ({ requestId }) => requestId)
  const innerOf = new Map<ScenarioHop | undefined, ScenarioHop[]>()
  for (const hop of sorted) {
    const outer = (byRequest.get(hop.requestId) ?? [])
      .filter((other) => isWithin(hop, other))
      // The innermost of those around it ends first.
      .sort((one, other) => one.id - other.id)[0]
    innerOf.set(outer, [...(innerOf.get(outer) ?? []), hop])
  }
  const tell = (outer: ScenarioHop | undefined): ScenarioHop[] =>
    (innerOf.get(outer) ?? []).flatMap((hop) => [hop, ...tell(hop)])
  return tell(undefined)
}
