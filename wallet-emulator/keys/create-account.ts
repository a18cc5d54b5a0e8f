import { hkdfSync, randomBytes } from 'node:crypto'
import { createHolderDid, type HolderDidMethod } from '#core/crypto/holder-did.ts'
import { createPrivateJwk, type PrivateJwk, publicJwkOf } from '#core/crypto/jwk.ts'
import {
  type HolderCurve,
  type HolderSuite,
  holderCurves,
  holderSuiteOf,
  suites,
} from '#core/crypto/suites.ts'

/** A holder's key and its DID. The curve cannot be changed later. */
export interface Account {
  readonly curve: HolderCurve
  readonly didMethod: HolderDidMethod
  readonly algorithm: HolderSuite
  readonly did: string
  /** DID URL of the key, which is the `kid` of its signatures. */
  readonly kid: string
  readonly privateKey: PrivateJwk
}

/** Curve and DID method of a new account (profile/wallet, Keys). */
export interface CreateAccountOptions {
  readonly curve?: HolderCurve
  readonly didMethod?: HolderDidMethod
  /** The same seed yields the same key on each curve. Without a seed, the key is random. */
  readonly seed?: string
}

/**
 * Creates an account (profile/wallet, Keys).
 *
 * @row 1.resources-and-their-fields/supported-curves.3
 */
export function createAccount({
  curve = 'secp256k1',
  didMethod = 'key',
  seed,
}: CreateAccountOptions = {}): Account {
  if (!holderCurves.includes(curve)) throw new TypeError(`curve must be ${holderCurves.join(', ')}`)
  return accountOfKey({ didMethod, privateKey: createKey(curve, seed) })
}

/**
 * Creates the account of an existing key. Throws a TypeError for a curve that holders cannot use.
 */
export function accountOfKey({
  didMethod,
  privateKey,
}: {
  readonly didMethod: HolderDidMethod
  readonly privateKey: PrivateJwk
}): Account {
  const algorithm = holderSuiteOf(privateKey)
  if (!algorithm) throw new TypeError(`a wallet supports only keys of ${holderCurves.join(', ')}`)
  // JavaScript has no types: any other method would become a did:key.
  if (didMethod !== 'key' && didMethod !== 'jwk')
    throw new TypeError('didMethod must be key or jwk')
  return {
    curve: suites[algorithm].crv,
    didMethod,
    algorithm,
    ...createHolderDid({ method: didMethod, publicKey: publicJwkOf(privateKey) }),
    privateKey,
  }
}

function createKey(curve: HolderCurve, seed: string | undefined): PrivateJwk {
  for (let round = 0; ; round++) {
    const secret = seed === undefined ? randomBytes(32) : deriveSecret(seed, curve, round)
    try {
      return createPrivateJwk(curve, secret)
    } catch (error) {
      // About one in 2^128 secrets is not a scalar of secp256k1; the next attempt succeeds.
      if (round > 8) throw error
    }
  }
}

function deriveSecret(seed: string, curve: HolderCurve, round: number): Uint8Array {
  const info = `lear-testbed wallet ${curve} ${round}`
  return new Uint8Array(hkdfSync('sha256', Buffer.from(seed), Buffer.alloc(0), info, 32))
}
