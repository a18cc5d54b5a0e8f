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

/** A holder's key with the one DID that stands for it. The curve is chosen once and for all. */
export interface Account {
  readonly curve: HolderCurve
  readonly didMethod: HolderDidMethod
  readonly algorithm: HolderSuite
  readonly did: string
  /** DID URL of the key, the `kid` of all that it signs. */
  readonly kid: string
  readonly privateKey: PrivateJwk
}

/** Curve and DID method of a new account (profile/wallet, Keys). */
export interface CreateAccountOptions {
  readonly curve?: HolderCurve
  readonly didMethod?: HolderDidMethod
  /** The same text gives the same key on each curve; without it the key is random. */
  readonly seed?: string
}

/**
 * Makes an account (profile/wallet, Keys).
 *
 * @row 1.resources-and-their-fields/supported-curves.3
 */
export function createAccount({
  curve = 'secp256k1',
  didMethod = 'key',
  seed,
}: CreateAccountOptions = {}): Account {
  return accountOfKey({ didMethod, privateKey: createKey(curve, seed) })
}

/**
 * The account of a key that exists already. Throws a TypeError for a key of a curve that no holder
 * can have.
 */
export function accountOfKey({
  didMethod,
  privateKey,
}: {
  readonly didMethod: HolderDidMethod
  readonly privateKey: PrivateJwk
}): Account {
  const algorithm = holderSuiteOf(privateKey)
  if (!algorithm) throw new TypeError(`a wallet has keys of ${holderCurves.join(' and ')} only`)
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
      // About one in 2^128 secrets is no scalar of secp256k1; the next one is.
      if (round > 8) throw error
    }
  }
}

function deriveSecret(seed: string, curve: HolderCurve, round: number): Uint8Array {
  const info = `lear-testbed wallet ${curve} ${round}`
  return new Uint8Array(hkdfSync('sha256', Buffer.from(seed), Buffer.alloc(0), info, 32))
}
