import type { HolderDidMethod } from '#core/crypto/holder-did.ts'
import type { Wallet } from '#wallet-emulator/create-wallet.ts'
import type { WalletFault } from '#wallet-emulator/faults/wallet-fault.ts'
import type { BrowserPages } from './browser-pages.ts'
import type { ControlClient } from './control-client.ts'
import type { ScenarioAlgorithm } from './define-scenario.ts'
import type { HttpClient } from './http-client.ts'
import type { Mailbox } from './mailbox.ts'
import type { Environment } from './z-testbed-file.ts'

export interface WalletFactoryOptions {
  /** By default `key`. */
  readonly didMethod?: HolderDidMethod
  /** Named deviations. */
  readonly faults?: readonly WalletFault[]
}

/** All that a scenario sees. Everything reaches the system under test through HTTP. */
export interface ScenarioContext {
  /** Unique to this run: fit to be a part of names, so that scenarios side by side don't meet. */
  readonly uniqueName: string
  /** So many bytes as if at random, other ones with each call; they follow from the seed. */
  seededBytes(length: number): Uint8Array
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
  /** A new wallet with a key for the scenario's algorithm; it may reach a testbed on this machine. */
  createWallet(options?: WalletFactoryOptions): Wallet
  readonly control: ControlClient
  readonly mailbox: Mailbox
  readonly browser: BrowserPages
  /** One sentence of the story: reports show it with its time, and the hops that it set off. */
  step<T>(title: string, work: () => Promise<T> | T): Promise<T>
  /** Puts an image or a document into the report. */
  attach(name: string, bytes: Uint8Array | string, mimeType: string): void
}
