import { createDidProof } from '#core/did/did-proof.ts'
import { isTestbedError, TestbedError } from '#core/errors/testbed-error.ts'
import type { Signer } from '#core/ethereum/account.ts'
import { registryErrorCodes } from '#core/registries/registry-request.ts'
import type { AttributeMetadata } from '#core/registries/tir-client.ts'
import type { ChainClient } from '#kit/chain-client.ts'
import type { Runtime } from '#kit/runtime.ts'
import { openDidRegistry, openTir } from '../registries/open-registries.ts'
import { writeAttributeData, writeAttributeMetadata } from '../registries/write-attribute.ts'
import { writeDid } from '../registries/write-did.ts'
import type { Identity } from './create-identity.ts'

export interface Validity {
  /** Unix seconds. */
  readonly notBefore: number
  /** Unix seconds. */
  readonly notAfter: number
}

/**
 * What the testbed's operator does with both registries through their APIs (document 2) while it
 * seeds them. Each call settles when the change is on the chain.
 */
export interface RegistryOperator {
  /** The DID document's relationships, or undefined where the DID is not registered. */
  readDocument(did: string): Promise<{ readonly assertionMethod: readonly string[] } | undefined>
  registerDid(identity: Identity, validity: Validity, onboardingNode: Signer): Promise<void>
  addAssertionMethod(identity: Identity, validity: Validity): Promise<void>
  /** The accreditation's JWT, `''` where only its metadata is there, undefined where nothing is. */
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

/** Runs a step of the seeding; what a registry refuses then ends the start. */
async function seeding<T>(work: Promise<T>): Promise<T> {
  try {
    return await work
  } catch (error) {
    if (!isTestbedError(error) || !registryErrorCodes.has(error.code)) throw error
    throw new TestbedError({
      code: 'seeding_failed',
      status: 500,
      message: `The testbed's own registries could not be filled: ${error.message}`,
      hints: ['Start on a new data folder (--data DIR) where this one holds something else.'],
      cause: error,
    })
  }
}

/** Builds the operator's client of both registries of one environment. */
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
