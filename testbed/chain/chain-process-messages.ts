import type { MiningMode } from './create-ledger.ts'

/** What the testbed tells its chain process over the IPC channel; each is answered by its id. */
export type ChainCommand =
  | { readonly id: number; readonly command: 'mine' }
  | { readonly id: number; readonly command: 'setMining'; readonly mode: MiningMode }
  | { readonly id: number; readonly command: 'setClockOffset'; readonly milliseconds: number }
  | { readonly id: number; readonly command: 'save' | 'restore' | 'forget'; readonly name: string }
  | { readonly id: number; readonly command: 'close' }

export interface ChainFailure {
  readonly code: string
  readonly message: string
  readonly hints: readonly string[]
  readonly extra: Readonly<Record<string, unknown>>
}

/** What the chain process says: once that it serves or why not, then one answer a command. */
export type ChainReport =
  | { readonly serving: { readonly port: number; readonly cutBytes: number } }
  | { readonly failed: ChainFailure }
  | { readonly id: number; readonly result: unknown }
  | { readonly id: number; readonly failed: ChainFailure }
