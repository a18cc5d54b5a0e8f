import type { DidRegistryUnderTest } from '../../registries/create-did-registry-under-test.ts'
import type { FreshIdentity } from '../../registries/create-fresh-identity.ts'
import { addUse } from './add-use.ts'

/** A roll that begins in ten minutes, with an overlap of ten minutes. */
export interface RollAhead {
  readonly old: FreshIdentity
  readonly successor: { readonly did: string; readonly vMethodId: string }
  /** Unix seconds. */
  readonly notBefore: number
  /** Seconds. */
  readonly duration: number
}

/** Registers a DID whose key makes assertions for a day, and rolls that key to a new one. */
export async function rollAhead(registry: DidRegistryUnderTest, now: number): Promise<RollAhead> {
  const old = await registry.register()
  const { did, vMethodId: oldVMethodId } = old
  const notAfter = now + 86_400
  await addUse(registry, old, { notBefore: now - 60, notAfter })
  const { vMethodId, publicKey } = registry.createIdentity()
  const [notBefore, duration] = [now + 600, 600]
  const key = { vMethodId, publicKeyType: 'secp256k1', publicKey, notBefore, notAfter }
  await registry.write('rollVerificationMethod', { did, ...key, oldVMethodId, duration }, old)
  return { old, successor: { did, vMethodId }, notBefore, duration }
}
