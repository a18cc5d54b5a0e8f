import type { KeyObject } from 'node:crypto'

/**
 * The result for a name: the one that is kept, or the one that is made now and kept. What is
 * undefined or throws is not kept.
 */
type Keep<Value> = (name: string, make: () => Value | undefined) => Value | undefined

/**
 * What is worth keeping between verifications. None of it is ever out of date: each result follows
 * from its name alone. Whoever verifies often owns one and hands it to every verification; without
 * one, everything is computed again.
 */
export interface VerificationCache {
  /** By what makes the key. Importing one costs as much as some signatures. */
  readonly keepPublicKey: Keep<KeyObject>
  /** Signatures that verified, of what many messages rest on. */
  readonly keepSignature: Keep<true>
  /** Unpacked status lists by their text, as many credentials rest on one. Not to be changed. */
  readonly keepBitstring: Keep<Uint8Array>
}

export function createVerificationCache(): VerificationCache {
  return {
    keepPublicKey: keepNewest(1000),
    keepSignature: keepNewest(1000),
    keepBitstring: keepNewest(8),
  }
}

function keepNewest<Value>(most: number): Keep<Value> {
  const kept = new Map<string, Value>()
  return (name, make) => {
    const known = kept.get(name)
    if (known !== undefined) return known
    const value = make()
    if (value === undefined) return undefined
    const [oldest] = kept.keys()
    if (kept.size >= most && oldest !== undefined) kept.delete(oldest)
    kept.set(name, value)
    return value
  }
}
