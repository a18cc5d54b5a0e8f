import type { ScenarioHop } from '#scenarios/harness/z-results.ts'

/** Hops that follow one another and are alike, such as the calls of a page that polls. */
export interface HopGroup {
  /** Number of its first hop in the scenario, from 1. */
  readonly number: number
  readonly first: ScenarioHop
  readonly hops: readonly ScenarioHop[]
}

/** The address without its query, readable: a DID in it keeps its colons. */
export function pathOf({ url }: ScenarioHop): string {
  const path = url.split('?', 1)[0] ?? url
  try {
    return decodeURIComponent(path)
  } catch {
    return path
  }
}

/** What an exchange is called in one line: method and path, or the chain's method alone. */
export const labelOf = (hop: ScenarioHop) =>
  hop.kind === 'chain' ? pathOf(hop) : `${hop.method} ${pathOf(hop)}`

const alike = (one: ScenarioHop, other: ScenarioHop) =>
  one.step === other.step &&
  one.from === other.from &&
  one.to === other.to &&
  one.method === other.method &&
  one.status === other.status &&
  pathOf(one) === pathOf(other)

/** Draws hops together that differ in nothing that a diagram shows. */
export function groupHops(hops: readonly ScenarioHop[]): HopGroup[] {
  const groups: { number: number; first: ScenarioHop; hops: ScenarioHop[] }[] = []
  for (const [index, hop] of hops.entries()) {
    const last = groups.at(-1)
    if (last && alike(last.first, hop)) last.hops.push(hop)
    else groups.push({ number: index + 1, first: hop, hops: [hop] })
  }
  return groups
}
