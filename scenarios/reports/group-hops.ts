import type { ScenarioHop } from '#scenarios/harness/z-results.ts'

/** Hops that follow one another and are alike, such as the calls of a page that polls. */
export interface HopGroup {
  /** Number of its first hop in the scenario, from 1. */
  readonly number: number
  readonly first: ScenarioHop
  readonly hops: readonly ScenarioHop[]
}

const withoutQuery = ({ url }: ScenarioHop) => url.split('?', 1)[0] ?? url

/** The path of an address without its query, readable: a DID in it keeps its colons. */
export function pathOf(hop: ScenarioHop): string {
  const path = withoutQuery(hop).replace(/^https?:\/\/[^/]+(?=\/)/, '')
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
  withoutQuery(one) === withoutQuery(other)

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
