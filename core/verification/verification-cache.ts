import type { KeyObject } from 'node:crypto'
import { type Keep, keepNewest } from '#core/memory/keep-newest.ts'

/**
 * Results that are worth keeping between verifications. They never expire, because each depends
 * only on its name. A service that verifies often creates one cache and passes it to every
 * verification. Without a cache, everything is computed again.
 */
export interface VerificationCache {
  /** By the key's members. Importing a key costs as much as some signatures. */
  readonly keepPublicKey: Keep<KeyObject>
  /** Valid signatures of documents that many messages refer to. */
  readonly keepSignature: Keep<true>
  /**
   * Decompressed status lists by their text, because many credentials share one. Do not modify
   * them.
   */
  readonly keepBitstring: Keep<Uint8Array>
}

export function createVerificationCache(): VerificationCache {
  return {
    keepPublicKey: keepNewest(1000),
    keepSignature: keepNewest(1000),
    keepBitstring: keepNewest(8),
  }
}
