import { createHash } from 'node:crypto'

/** What a scenario is told apart by, and what its wallets' keys are made from. */
export interface SeededNames {
  /** 10 hex digits: fit to be a part of names. */
  readonly uniqueName: string
  /** Seed of the scenario's next wallet, another one with each call. */
  nextWalletSeed(): string
  /** So many bytes, other ones with each call: what a nonce, an id or a further key is made from. */
  nextBytes(length: number): Uint8Array
}

/**
 * Names and keys of one scenario's run. The same seed gives the same ones, whatever runs beside it
 * and in whatever order.
 */
export function createSeededNames(seed: string, runId: string): SeededNames {
  let wallets = 0
  let calls = 0
  return {
    uniqueName: createHash('sha256').update(`${seed}\n${runId}`).digest('hex').slice(0, 10),
    nextWalletSeed() {
      wallets += 1
      return `${seed}\n${runId}\n${wallets}`
    },
    nextBytes(length) {
      calls += 1
      const hash = createHash('shake256', { outputLength: length })
      return new Uint8Array(hash.update(`${seed}\n${runId}\nbytes ${calls}`).digest())
    },
  }
}
