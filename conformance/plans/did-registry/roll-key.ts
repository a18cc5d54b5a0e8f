import type { DidRegistryUnderTest, FreshIdentity } from '../registries/did-registry-under-test.ts'
import { addUse } from './add-use.ts'

/** A roll with an overlap of ten minutes. */
export interface Roll {
  readonly old: FreshIdentity
  readonly successor: { readonly did: string; readonly vMethodId: string }
  /** Unix seconds. */
  readonly notBefore: number
  /** Seconds. */
  readonly duration: number
}

/**
 * Registers a DID whose key makes assertions for a day, and rolls that key to a new one.
 * @param notBefore when the new key begins: where the overlap is what counts, now, since the
 *   document does not say whether it is counted from then or from the roll
 */
export async function rollKey(
  registry: DidRegistryUnderTest,
  now: number,
  notBefore = now,
): Promise<Roll> {
  const old = await registry.register()
  const { did, vMethodId: oldVMethodId } = old
  const notAfter = now + 86_400
  await addUse(registry, old, { notBefore: now - 60, notAfter })
  const { vMethodId, publicKey } = registry.createIdentity()
  const duration = 600
  const key = { vMethodId, publicKeyType: 'secp256k1', publicKey, notBefore, notAfter }
  await registry.write('rollVerificationMethod', { did, ...key, oldVMethodId, duration }, old)
  return { old, successor: { did, vMethodId }, notBefore, duration }
}
