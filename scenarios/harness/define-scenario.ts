import type { HolderDidMethod } from '#core/crypto/holder-did.ts'
import { type DefaultHolderSuite, defaultHolderSuites } from '#core/crypto/suites.ts'
import type { Wallet } from '#wallet-emulator/create-wallet.ts'
import type { WalletFault } from '#wallet-emulator/faults/wallet-fault.ts'
import type { BrowserPages } from './browser-pages.ts'
import type { ControlClient } from './control-client.ts'
import type { HttpClient } from './http-client.ts'
import type { Mailbox } from './mailbox.ts'
import type { Recorder } from './recorder.ts'
import type { Capability, Environment } from './z-testbed-file.ts'

interface WalletFactoryOptions {
  /** Default: `key`. */
  readonly didMethod?: HolderDidMethod
  /** Named deviations. */
  readonly faults?: readonly WalletFault[]
}

/** Everything that a scenario can use. It reaches the system under test only through HTTP. */
export interface ScenarioContext {
  /** Unique to this run and usable in names, so that parallel scenarios do not collide. */
  readonly uniqueName: string
  /** Pseudorandom bytes of this length, different with each call; derived from the seed. */
  seededBytes(length: number): Uint8Array
  /** Algorithm of the wallet's key. */
  readonly algorithm: ScenarioAlgorithm
  /** Addresses, keys and accounts of the environment under test, from `testbed.json`. */
  readonly environment: Environment
  /** Aborts when the scenario must stop: interrupted, or past its time limit. */
  readonly signal: AbortSignal
  /** The testbed's time in Unix seconds; it may have been moved. */
  now(): number
  /** An HTTP client that plays a part: `portal`, `relying-party`, … */
  httpAs(caller: string): HttpClient
  /** A new wallet with a key for the scenario's algorithm; it may reach a testbed on this machine. */
  createWallet(options?: WalletFactoryOptions): Wallet
  readonly control: ControlClient
  readonly mailbox: Mailbox
  readonly browser: BrowserPages
  /**
   * One sentence of the story: reports show it with its time, and the hops that it caused. The work
   * gets this context.
   */
  step<T>(title: string, work: (context: ScenarioContext) => Promise<T> | T): Promise<T>
  /** Attaches an image or a document to the report. */
  readonly attach: Recorder['attach']
}

/** The two algorithms of profile/wallet, Keys; each scenario runs once with each. */
export const scenarioAlgorithms = defaultHolderSuites
export type ScenarioAlgorithm = DefaultHolderSuite

/** The source of a scenario's expectations. */
export interface Reference {
  /** `Profile`, `OpenID4VCI 1.0`, … */
  readonly document: string
  /** Heading, clause or number of an assumption: `Endpoints`, `4.1.1`, `A-22`. */
  readonly section: string
}

/**
 * One journey through the ecosystem, as a sequence of steps. Data plus code; needs no other
 * registration.
 */
export interface Scenario {
  /** `suite/name`, the scenario's path below `scenarios/suites`. */
  readonly id: string
  readonly title: string
  /** Heading in reports and documentation, for example `Issuance`. */
  readonly category: string
  /** Markdown: what happens and what is expected. */
  readonly description: string
  readonly references: readonly Reference[]
  /** Algorithms of the wallet's key; default: both. */
  readonly algorithms?: readonly ScenarioAlgorithm[]
  /** True if it moves time or breaks a part: it then runs alone, after all others. */
  readonly exclusive?: boolean
  /** Required abilities of the testbed; without them, the scenario is skipped. */
  readonly needs?: readonly Capability[]
  /**
   * True if it opens pages in a real browser; other scenarios may not, because that costs a hundred
   * times more.
   */
  readonly usesBrowser?: boolean
  /** Its source, relative to the working directory; set by the loader. */
  readonly file?: string
  /** Default: the runner's limit. */
  readonly timeLimitMilliseconds?: number
  run(context: ScenarioContext): Promise<void>
}

const identifier = /^[a-z0-9]+(-[a-z0-9]+)*\/[a-z0-9]+(-[a-z0-9]+)*$/

/** A scenario in its source form. */
interface ScenarioDefinition extends Omit<Scenario, 'category'> {
  /** Default: that of the testbed's own suite. */
  readonly category?: string
}

/** The category of each suite of the testbed. */
const categories: Readonly<Record<string, string>> = {
  broker: 'Broker',
  concurrency: 'Concurrency',
  deferred: 'Deferred issuance',
  employee: 'Employees',
  failures: 'Failures',
  issuance: 'Issuance',
  'key-lifecycle': 'Key lifecycle',
  login: 'Login',
  revocation: 'Revocation',
  time: 'Time',
  'trust-chain': 'Trust chain',
}

/** References written as `DOCUMENT: SECTION`, for example `RFC 7636: 4.6`. */
export const cite = (...sources: readonly string[]): Reference[] =>
  sources.map((source) => {
    const [document = '', ...section] = source.split(': ')
    return { document, section: section.join(': ') }
  })

/**
 * Declares a scenario. Also checks what TypeScript would reject, for scenarios in JavaScript.
 * @throws TypeError if the id is not `suite/name` in kebab-case, or if title, category, description,
 * references or `run` are missing: the documentation is generated from the texts
 */
export function defineScenario(scenario: ScenarioDefinition): Scenario {
  const { id, title, description, references, algorithms, run } = scenario
  if (!identifier.test(id)) throw new TypeError(`${id}: an id is suite/name in kebab-case`)
  const { category = categories[id.split('/')[0] ?? ''] ?? '' } = scenario
  for (const [name, text] of Object.entries({ title, category, description })) {
    if (!text?.trim()) throw new TypeError(`${id}: the ${name} is missing`)
  }
  if (!references?.length) throw new TypeError(`${id}: the references are missing`)
  if (algorithms?.length === 0) throw new TypeError(`${id}: the algorithms are missing`)
  const unknown = algorithms?.find((name) => !scenarioAlgorithms.includes(name))
  if (unknown) {
    const known = scenarioAlgorithms.join(' or ')
    throw new TypeError(`${id}: unknown algorithm ${unknown}; use ${known}`)
  }
  if (typeof run !== 'function') throw new TypeError(`${id}: run is missing`)
  return Object.freeze({ ...scenario, category })
}

/**
 * For a family of scenarios that do not depend on the wallet's algorithm: the members alternate
 * between the algorithms.
 */
export function oneAlgorithm(index: number): [ScenarioAlgorithm] {
  return [scenarioAlgorithms[index % scenarioAlgorithms.length] ?? 'ES256K']
}
