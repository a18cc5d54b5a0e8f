import type { VerbAnswer } from './verb-answer.ts'

/** What the wallet under test can be told to do, however that reaches it. */
export interface WalletDriver {
  /** How it is driven, for reports: `commands`, `HTTP`, `a person`. */
  readonly by: string
  /** Whether the verbs are there that a target may leave out. */
  readonly can: { readonly list: boolean; readonly reset: boolean }
  acceptOffer(offer: { readonly link: string; readonly pin?: string }): Promise<VerbAnswer>
  present(request: { readonly link: string }): Promise<VerbAnswer>
  list(): Promise<VerbAnswer & { readonly credentials: readonly unknown[] }>
  /** Empties the wallet; where the target can, its account gets a new key on that curve. */
  reset(options?: { readonly curve?: 'secp256k1' | 'Ed25519' }): Promise<VerbAnswer>
}
