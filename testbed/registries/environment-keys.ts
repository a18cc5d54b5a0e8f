import { createHash, createHmac } from 'node:crypto'
import { isPrivateScalar } from '#core/crypto/jwk.ts'
import type { DidEnvironment } from '#core/did/did-org.ts'
import { createDid } from '#core/did/did-proof.ts'
import { type Signer, signerOf, toHex } from '#core/ethereum/account.ts'

/**
 * A secp256k1 private key (0x-hex, 32 bytes) from the seed: HMAC-SHA-256 over a label such as
 * `pre/operator`. The same seed and label always give the same key, and one key reveals nothing
 * about another key.
 */
export function deriveKey(seed: string, label: string): `0x${string}` {
  for (let counter = 0; ; counter++) {
    const message = `lear-testbed/${label}/${counter}`
    const key = createHmac('sha256', seed).update(message).digest()
    // About one hash in 2^128 is outside the order of the curve.
    if (isPrivateScalar(key)) return toHex(key)
  }
}

/** An organization with its own DID, and the key that controls it. */
export interface Identity {
  readonly did: string
  /** Account of the key, EIP-55. */
  readonly address: string
  /** 0x-hex, 32 bytes. */
  readonly privateKey: string
  readonly vMethodId: string
  readonly organizationIdentifier: string
}

/** The identity of a private key in an environment; registers nothing. */
export function createIdentity(
  environment: DidEnvironment,
  privateKey: string,
  organizationIdentifier: string,
): Identity {
  const { did, address, vMethodId } = createDid(privateKey, environment)
  return { did, address, privateKey, vMethodId, organizationIdentifier }
}

/** A member of the trust chain: an identity with an accreditation in the TIR. */
export interface Accredited extends Identity {
  /** 64 hex digits without 0x. */
  readonly attributeId: string
}

/** All accounts and DIDs of one environment. The same seed gives the same ones. */
export interface EnvironmentKeys {
  readonly operator: Signer
  readonly onboardingNode: Signer
  readonly rootTao: Accredited
  readonly tao: Accredited
  readonly issuer: Accredited
  readonly verifier: Identity
}

/**
 * The account that deploys the registries; derived separately because the chain starts with their
 * addresses.
 */
export function operatorOf(seed: string, environment: DidEnvironment): Signer {
  return signerOf(deriveKey(seed, `${environment}/operator`))
}

/** Derives the accounts and DIDs of an environment from the seed. */
export function createEnvironmentKeys(seed: string, environment: DidEnvironment): EnvironmentKeys {
  const keyOf = (label: string) => deriveKey(seed, `${environment}/${label}`)
  const accredited = (label: string, organizationIdentifier: string): Accredited => {
    const identity = createIdentity(environment, keyOf(label), organizationIdentifier)
    const attributeId = createHash('sha256')
      .update(`accreditation of ${identity.did}`)
      .digest('hex')
    return { ...identity, attributeId }
  }
  return {
    operator: operatorOf(seed, environment),
    onboardingNode: signerOf(keyOf('onboarding-node')),
    rootTao: accredited('root-tao', 'VATES-R00000001'),
    tao: accredited('tao', 'VATES-T00000002'),
    issuer: accredited('issuer', 'VATES-I00000003'),
    verifier: createIdentity(environment, keyOf('verifier'), 'VATES-V00000004'),
  }
}
