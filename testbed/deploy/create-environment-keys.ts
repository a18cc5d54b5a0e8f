import { createHash } from 'node:crypto'
import type { DidEnvironment } from '#core/did/did-org.ts'
import { type Signer, signerOf } from '#core/ethereum/account.ts'
import { deriveKey } from '#testbed/seed/derive-key.ts'
import { createIdentity, type Identity } from './create-identity.ts'

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

/** The account that deploys the registries, by itself: the chain is started with their addresses. */
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
