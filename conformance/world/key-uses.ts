import { randomBytes } from 'node:crypto'
import { createPrivateJwk } from '#core/crypto/jwk.ts'
import type { HolderCurve } from '#core/crypto/suites.ts'
import type { VerificationRelationship } from '#core/did/did-document.ts'
import { verificationMethodIdOf } from '#core/did/did-org.ts'
import type { Party, TrustWorld } from './create-trust-world.ts'

export interface KeyOptions {
  /** By default assertionMethod. With `none` the key is only registered. */
  readonly relationship?: VerificationRelationship | 'none'
  /** By default secp256k1. */
  readonly curve?: HolderCurve
  /** The first and the last valid second, in Unix time. By default a year from now. */
  readonly notBefore?: number
  readonly notAfter?: number
}

/** Registers another key of a party. Returns the party with it. */
export function addKey(
  world: TrustWorld,
  party: Party,
  { relationship = 'assertionMethod', curve = 'secp256k1', ...period }: KeyOptions = {},
): Party {
  const privateKey = createPrivateJwk(curve, randomBytes(32))
  const kid = `${party.did}#${verificationMethodIdOf(privateKey)}`
  const use = world.use(kid, privateKey, relationship === 'none' ? undefined : relationship)
  Object.assign(use, period)
  return { ...party, kid, privateKey }
}

/**
 * Ends all uses of a party's key, as a revocation or its expiry does. `notAfter`: the last valid
 * second, in Unix time.
 */
export function endKey({ usesOf }: TrustWorld, { did, kid }: Party, notAfter: number): void {
  for (const use of usesOf(did)) if (use.kid === kid) use.notAfter = notAfter
}

/** Has the DID registry show another key under a party's kid. */
export function replaceKey({ usesOf }: TrustWorld, { did, kid }: Party): void {
  const key = createPrivateJwk('secp256k1', randomBytes(32))
  for (const use of usesOf(did)) if (use.kid === kid) use.key = key
}

/** Removes a party's key from the DID registry. If it has no other key, its DID is unknown then. */
export function removeKey({ usesOf }: TrustWorld, { did, kid }: Party): void {
  const uses = usesOf(did)
  const others = uses.filter((each) => each.kid !== kid)
  uses.splice(0, uses.length, ...others)
}
