import { randomUUID } from 'node:crypto'
import { createDidProof } from '#core/did/did-proof.ts'
import { isTestbedError } from '#core/errors/testbed-error.ts'
import type { Signer } from '#core/ethereum/account.ts'
import { registryErrorCodes } from '#core/registries/errors.ts'
import type { AttributeMetadata } from '#core/registries/tir-client.ts'
import { signAccreditation } from '#core/trust/accreditation.ts'
import type { ChainClient } from '#kit/chain-client.ts'
import type { Runtime } from '#kit/runtime.ts'
import { seedingFailed } from '../errors.ts'
import type { Accredited, EnvironmentKeys, Identity } from './environment-keys.ts'
import {
  openDidRegistry,
  openTir,
  writeAttributeData,
  writeAttributeMetadata,
  writeDid,
} from './write-registries.ts'

interface Validity {
  /** Unix seconds. */
  readonly notBefore: number
  /** Unix seconds. */
  readonly notAfter: number
}

/**
 * The operator's client of both registries' APIs (the profile), used for seeding. Each call resolves
 * when the change is on the chain.
 */
interface RegistryOperator {
  /** The DID document's relationships, or undefined if the DID is not registered. */
  readDocument(did: string): Promise<{ readonly assertionMethod: readonly string[] } | undefined>
  registerDid(identity: Identity, validity: Validity, onboardingNode: Signer): Promise<void>
  addAssertionMethod(identity: Identity, validity: Validity): Promise<void>
  /** The accreditation's JWT, `''` if only its metadata exists, undefined if nothing exists. */
  readAttribute(did: string, attributeId: string): Promise<string | undefined>
  setAttributeMetadata(metadata: AttributeMetadata, signer: Signer): Promise<void>
  setAttributeData(did: string, attributeId: string, jwt: string, signer: Signer): Promise<void>
}

export interface RegistryOperatorOptions {
  readonly didRegistryBaseUrl: string
  readonly tirBaseUrl: string
  readonly tirApiKey: string
  readonly chain: ChainClient
}

/** Runs a step of the seeding; an error of a registry ends the start. */
async function seeding<T>(work: Promise<T>): Promise<T> {
  try {
    return await work
  } catch (error) {
    if (!isTestbedError(error) || !registryErrorCodes.has(error.code)) throw error
    throw seedingFailed(error)
  }
}

/** Creates the operator's client of both registries of one environment. */
export function createRegistryOperator(
  runtime: Runtime,
  options: RegistryOperatorOptions,
): RegistryOperator {
  const { chain, didRegistryBaseUrl, tirBaseUrl, tirApiKey } = options
  const caller = 'operator'
  const didRegistry = openDidRegistry(runtime, { caller, baseUrl: didRegistryBaseUrl })
  const tir = openTir(runtime, { caller, baseUrl: tirBaseUrl, apiKey: tirApiKey })

  return {
    readDocument: (did) => seeding(didRegistry.resolve(did)),
    async registerDid({ did, vMethodId, organizationIdentifier, privateKey }, validity, signer) {
      const body = {
        did,
        vMethodId,
        ...createDidProof(privateKey),
        publicKeyType: 'secp256k1',
        alsoKnownAs: `urn:oid:organizationIdentifier:${organizationIdentifier}`,
        ...validity,
      }
      await seeding(writeDid({ didRegistry, chain }, 'insertFirstDidDocument', body, signer))
    },
    async addAssertionMethod(identity, validity) {
      const { did, vMethodId } = identity
      const body = { did, name: 'assertionMethod', vMethodId, ...validity }
      await seeding(writeDid({ didRegistry, chain }, 'addVerificationRelationship', body, identity))
    },
    async readAttribute(did, attributeId) {
      return (await seeding(tir.readAttribute(did, attributeId)))?.attribute.body
    },
    async setAttributeMetadata(metadata, signer) {
      await seeding(writeAttributeMetadata({ tir, chain }, metadata, signer))
    },
    async setAttributeData(did, attributeId, jwt, signer) {
      await seeding(writeAttributeData({ tir, chain }, { did, attributeId, jwt }, signer))
    },
  }
}

export interface SeedOptions {
  readonly registries: RegistryOperator
  readonly keys: EnvironmentKeys
  readonly tirBaseUrl: string
  /** Credential types for which the chain accredits its members. */
  readonly credentialTypes: readonly string[]
  /** Unix seconds. */
  readonly now: number
}

interface Publication {
  readonly subject: Accredited
  readonly parent: Accredited
  readonly issuerType: 'ROOT_TAO' | 'TAO' | 'TI'
  /** The DID that may write the metadata: the operator for a root, the parent otherwise. */
  readonly signer: Signer
}

const validitySeconds = 10 * 365 * 86_400

/**
 * Whether the whole trust chain has been written once. The issuer's accreditation is written last;
 * revoked accreditations stay revoked.
 */
export async function isTrustChainSeeded({
  registries,
  keys: { issuer },
}: Pick<SeedOptions, 'registries' | 'keys'>): Promise<boolean> {
  return Boolean(await registries.readAttribute(issuer.did, issuer.attributeId))
}

/**
 * Registers the DIDs of the trust chain (RTAO, TAO, TI) and of the verifier, each with an
 * assertionMethod key, and publishes the chain's accreditations, all through the registries' own
 * APIs. After an interrupted start it continues with what is missing.
 * @throws TestbedError `seeding_failed`
 */
export async function seedTrustChain(options: SeedOptions): Promise<void> {
  const { registries, keys, now } = options
  const { rootTao, tao, issuer, verifier, operator, onboardingNode } = keys
  const validity = { notBefore: now, notAfter: now + validitySeconds }

  /** Transactions of one account run in sequence; those of different accounts run in parallel. */
  let onboarding: Promise<unknown> = Promise.resolve()
  const registerDid = async (identity: Identity): Promise<void> => {
    const document = await registries.readDocument(identity.did)
    if (document === undefined) {
      const registered = onboarding.then(() =>
        registries.registerDid(identity, validity, onboardingNode),
      )
      onboarding = registered
      await registered
    }
    const kid = `${identity.did}#${identity.vMethodId}`
    if (document?.assertionMethod.includes(kid)) return
    await registries.addAssertionMethod(identity, validity)
  }

  const publish = async ({ subject, parent, issuerType, signer }: Publication): Promise<void> => {
    const { did, attributeId } = subject
    const found = await registries.readAttribute(did, attributeId)
    if (found === undefined) {
      const { did: taoDid, attributeId: attributeIdTao } = parent
      const metadata = { did, attributeId, issuerType, taoDid, attributeIdTao }
      await registries.setAttributeMetadata(metadata, signer)
    }
    if (found) return
    await registries.setAttributeData(did, attributeId, createJwt(options, subject, parent), parent)
  }

  const ready = {
    rootTao: registerDid(rootTao),
    tao: registerDid(tao),
    others: Promise.all([registerDid(issuer), registerDid(verifier)]),
  }
  // Every promise is awaited below; until then a failure must not count as unhandled.
  for (const each of Object.values(ready)) each.catch(() => {})
  await ready.rootTao
  await publish({ subject: rootTao, parent: rootTao, issuerType: 'ROOT_TAO', signer: operator })
  await publish({ subject: tao, parent: rootTao, issuerType: 'TAO', signer: rootTao })
  await Promise.all([ready.tao, ready.others])
  await publish({ subject: issuer, parent: tao, issuerType: 'TI', signer: tao })
}

function createJwt(options: SeedOptions, subject: Accredited, parent: Accredited): string {
  const { tirBaseUrl, credentialTypes, now } = options
  return signAccreditation({
    id: `urn:uuid:${randomUUID()}`,
    subjectDid: subject.did,
    attributeId: subject.attributeId,
    types: credentialTypes,
    accreditor: parent,
    tirBaseUrl,
    now,
    validUntil: now + validitySeconds,
  })
}
