import type { MiningMode } from './create-ledger.ts'

/** What the testbed tells its chain process over the IPC channel. */
export type ChainCommand =
  | { readonly command: 'mine' }
  | { readonly command: 'send'; readonly raw: string }
  | { readonly command: 'setMining'; readonly mode: MiningMode }
  | { readonly command: 'setClockOffset'; readonly milliseconds: number }
  | { readonly command: 'save' | 'restore' | 'forget'; readonly name: string }
  | { readonly command: 'close' }

/** What it says once it serves. */
export interface ChainReady {
  readonly port: number
  readonly cutBytes: number
}
