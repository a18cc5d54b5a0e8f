import type { ScenarioContext } from './context.ts'
import type { Capability } from './z-testbed-file.ts'

/** The two algorithms of document 1, "Supported curves"; each scenario runs once with each. */
export const scenarioAlgorithms = ['ES256K', 'EdDSA'] as const
export type ScenarioAlgorithm = (typeof scenarioAlgorithms)[number]

/** Where a scenario's expectations come from. */
export interface Reference {
  /** `Document 1`, `OpenID4VCI 1.0`, … */
  readonly document: string
  /** Heading, clause or number of an assumption: `Endpoints`, `4.1.1`, `A-22`. */
  readonly section: string
}

/** One journey through the ecosystem, told as steps. Data plus code: nothing else registers it. */
export interface Scenario {
  /** `suite/name`, the scenario's path below `scenarios/suites`. */
  readonly id: string
  readonly title: string
  /** Heading under which reports and documentation list it, for example `Issuance`. */
  readonly category: string
  /** Markdown: what happens and what is expected. */
  readonly description: string
  readonly references: readonly Reference[]
  /** Algorithms of the wallet's key; by default both. */
  readonly algorithms?: readonly ScenarioAlgorithm[]
  /** Set where it moves time or breaks a part: it then runs alone, after all others. */
  readonly exclusive?: boolean
  /** What the testbed has to be able to do; where it cannot, the scenario is skipped. */
  readonly needs?: readonly Capability[]
  /** Set where it opens pages in a real browser; others may not, as that costs a hundred times more. */
  readonly usesBrowser?: boolean
  /** Its source, relative to the repository; whoever loads it says so. */
  readonly file?: string
  /** By default the runner's limit. */
  readonly timeLimitMilliseconds?: number
  run(context: ScenarioContext): Promise<void>
}

const identifier = /^[a-z0-9]+(-[a-z0-9]+)*\/[a-z0-9]+(-[a-z0-9]+)*$/

/**
 * Declares a scenario.
 * @throws TypeError where the id is not `suite/name` in kebab-case, or where title, description or
 * references are missing: what is not described would be missing in the documentation.
 */
export function defineScenario(scenario: Scenario): Scenario {
  const { id, title, category, description, references, algorithms } = scenario
  if (!identifier.test(id)) throw new TypeError(`${id}: an id is suite/name in kebab-case`)
  for (const [name, text] of Object.entries({ title, category, description })) {
    if (text.trim() === '') throw new TypeError(`${id}: the ${name} is missing`)
  }
  if (references.length === 0) throw new TypeError(`${id}: it refers to no document`)
  if (algorithms?.length === 0) throw new TypeError(`${id}: it runs with no algorithm`)
  return Object.freeze({ ...scenario })
}
