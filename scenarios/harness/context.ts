import type { BrowserPages } from './browser-pages.ts'
import type { ControlClient } from './control-client.ts'
import type { ScenarioAlgorithm } from './define-scenario.ts'
import type { HttpClient } from './http-client.ts'
import type { Mailbox } from './mailbox.ts'
import type { Environment } from './z-testbed-file.ts'

/** All that a scenario sees. Everything reaches the system under test through HTTP. */
export interface ScenarioContext {
  /** Unique to this run: fit to be a part of names, so that scenarios side by side don't meet. */
  readonly uniqueName: string
  /** Algorithm that the wallet's key is for. */
  readonly algorithm: ScenarioAlgorithm
  /** Addresses, keys and accounts of the environment under test, from `testbed.json`. */
  readonly environment: Environment
  /** Ends when the scenario has to stop: interrupted, or past its time limit. */
  readonly signal: AbortSignal
  /** The testbed's time in Unix seconds; it may have been moved. */
  now(): number
  /** An HTTP client that plays a part: `portal`, `relying-party`, … */
  httpAs(caller: string): HttpClient
  readonly control: ControlClient
  readonly mailbox: Mailbox
  readonly browser: BrowserPages
  /** One sentence of the story: reports show it with its time, and the hops that it set off. */
  step<T>(title: string, work: () => Promise<T> | T): Promise<T>
  /** Puts an image or a document into the report. */
  attach(name: string, bytes: Uint8Array | string, mimeType: string): void
}
