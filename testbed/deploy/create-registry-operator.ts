import { randomUUID } from 'node:crypto'
import { createDidProof } from '#core/did/create-did-proof.ts'
import { TestbedError } from '#core/errors/testbed-error.ts'
import type { ChainClient } from '#kit/chain-client.ts'
import { createHttpClient, type HttpAnswer } from '#kit/create-http-client.ts'
import type { Runtime } from '#kit/runtime.ts'
import type { Identity } from './create-identity.ts'
import { signTransaction, type UnsignedTransaction } from './sign-transaction.ts'
import { waitForReceipt } from './wait-for-receipt.ts'

/** An account that pays nothing and signs: address and private key as 0x-hex. */
export interface Signer {
  readonly address: string
  readonly privateKey: string
}

export interface Validity {
  /** Unix seconds. */
  readonly notBefore: number
  /** Unix seconds. */
  readonly notAfter: number
}

export interface AttributeMetadata {
  readonly did: string
  /** 64 hex digits, without 0x here and below. */
  readonly attributeId: string
  readonly issuerType: 'ROOT_TAO' | 'TAO' | 'TI' | 'REVOKED'
  readonly taoDid: string
  readonly attributeIdTao: string
}

/**
 * What an operator does with both registries through their APIs (document 2): have a transaction
 * built, sign it, send it, look at its receipt. Each call settles when the change is on the chain.
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

interface RpcAnswer {
  readonly result?: unknown
  readonly error?: { readonly code: number; readonly message: string }
}

interface SendAnswer {
  readonly tx_hash: string
  readonly receipt: { readonly status: number } | null
}

function failed(what: string, why: string): TestbedError {
  return new TestbedError({
    code: 'seeding_failed',
    status: 500,
    message: `The testbed's own ${what} failed: ${why}`,
    hints: ['Start on a new data folder (--data DIR) where this one holds something else.'],
  })
}

/** Builds the operator's client of both registries of one environment. */
export function createRegistryOperator(
  runtime: Runtime,
  options: RegistryOperatorOptions,
): RegistryOperator {
  const { chain, tirApiKey } = options
  const caller = 'operator'
  const didRegistry = createHttpClient(runtime, {
    caller,
    dependency: 'DID registry',
    baseUrl: options.didRegistryBaseUrl,
  })
  const tir = createHttpClient(runtime, {
    caller,
    dependency: 'trusted issuers registry',
    baseUrl: options.tirBaseUrl,
    headers: { 'x-api-key': tirApiKey },
  })

  const checkHash = async (what: string, hash: string) => {
    const receipt = await waitForReceipt(chain, hash)
    if (receipt?.status === '0x1') return
    throw failed(what, `transaction ${hash} ${receipt?.revertReason ?? 'was not mined'}`)
  }

  const expectJson = <T>(what: string, { status, json, text }: HttpAnswer): T => {
    if (status < 300 && typeof json === 'object' && json !== null) return json as T
    throw failed(what, `HTTP ${status} ${text.slice(0, 300)}`)
  }

  /** Build, sign and send at the DID registry API. */
  const writeDid = async (operation: string, body: object, signer: Signer) => {
    const request = { ...body, from: signer.address }
    const built = await didRegistry.postJson(`/api/v1/contract/${operation}`, request)
    const unsigned = expectJson<UnsignedTransaction>(operation, built)
    const { raw } = signTransaction(unsigned, signer.privateKey)
    const sent = await didRegistry.postJson('/api/v1/transactions/send', {
      signedRawTransaction: raw,
    })
    const { tx_hash, receipt } = expectJson<SendAnswer>(operation, sent)
    if (receipt?.status !== 1) await checkHash(operation, tx_hash)
  }

  const callTir = async <T>(method: string, parameters: object): Promise<T> => {
    const message = { jsonrpc: '2.0', id: randomUUID(), method, params: [parameters] }
    const answer = await tir.postJson('/v1/jsonrpc', message)
    const { result, error } = expectJson<RpcAnswer>(method, answer)
    if (error !== undefined) throw failed(method, `${error.code} ${error.message}`)
    return result as T
  }

  /** Build, sign and send at the TIR API. */
  const writeAttribute = async (method: string, parameters: object, signer: Signer) => {
    const request = { from: signer.address, ...parameters }
    const unsignedTransaction = await callTir<UnsignedTransaction>(method, request)
    const { raw, r, s, v } = signTransaction(unsignedTransaction, signer.privateKey)
    const hash = await callTir<string>('sendSignedTransaction', {
      protocol: 'eth',
      unsignedTransaction,
      r,
      s,
      v,
      signedRawTransaction: raw,
    })
    await checkHash(method, hash)
  }

  return {
    async readDocument(did) {
      const answer = await didRegistry.request(`/api/v1/identifiers/${encodeURIComponent(did)}`, {
        headers: { accept: 'application/did+ld+json' },
      })
      return answer.status === 404 ? undefined : expectJson('resolution', answer)
    },
    async registerDid({ did, vMethodId, organizationIdentifier, privateKey }, validity, signer) {
      const { proof, publicKey } = createDidProof(privateKey)
      const body = {
        did,
        vMethodId,
        proof,
        publicKeyType: 'secp256k1',
        publicKey,
        alsoKnownAs: `urn:oid:organizationIdentifier:${organizationIdentifier}`,
        ...validity,
      }
      await writeDid('insertFirstDidDocument', body, signer)
    },
    async addAssertionMethod(identity, validity) {
      const { did, vMethodId } = identity
      const body = { did, name: 'assertionMethod', vMethodId, ...validity }
      await writeDid('addVerificationRelationship', body, identity)
    },
    async readAttribute(did, attributeId) {
      const answer = await tir.request(
        `/v1/issuers/${encodeURIComponent(did)}/attributes/${attributeId}`,
      )
      if (answer.status === 404) return undefined
      return expectJson<{ attribute: { body: string } }>('reading', answer).attribute.body
    },
    async setAttributeMetadata({ did, attributeId, issuerType, taoDid, attributeIdTao }, signer) {
      const ids = { revisionId: `0x${attributeId}`, attributeIdTao: `0x${attributeIdTao}` }
      const parameters = { did, issuerType, taoDid, ...ids }
      await writeAttribute('setAttributeMetadata', parameters, signer)
    },
    async setAttributeData(did, attributeId, jwt, signer) {
      const attributeData = `0x${Buffer.from(jwt).toString('hex')}`
      const parameters = { did, attributeId: `0x${attributeId}`, attributeData }
      await writeAttribute('setAttributeData', parameters, signer)
    },
  }
}
