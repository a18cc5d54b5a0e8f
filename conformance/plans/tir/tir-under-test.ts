import type { Signer } from '#core/ethereum/account.ts'
import { signTransaction, type UnsignedTransaction } from '#core/ethereum/transaction.ts'
import { membersOf } from '#core/json/json-object.ts'
import type { RegistryAnswer } from '#core/registries/errors.ts'
import type { RequestRegistry } from '#core/registries/registry-request.ts'
import {
  type AttributeData,
  type AttributeMetadata,
  createTirClient,
  submitAttributeData,
  submitAttributeMetadata,
  type TirClient,
} from '#core/registries/tir-client.ts'
import type { TirAttribute } from '#core/trust/tir-attribute.ts'
import type { HttpAnswer, HttpClient } from '#scenarios/harness/http-client.ts'
import { broken, endCheck, inconclusive } from '../../kit/check.ts'
import {
  awaitChainReceipt,
  type ChainReceipt,
  describeRevert,
  hashOfTransaction,
  readChainReceipt,
} from '../registries/chain-receipts.ts'
import {
  type Attempt,
  createRequestRegistry,
  type RegistryClients,
  rejectionOf,
} from '../registries/did-registry-under-test.ts'
import { internalError, rpcRequest } from './rpc.ts'

export interface TirAddress {
  /** Ends with /trusted-issuers-registry. */
  readonly baseUrl: string
  readonly apiKey: string
  readonly chainRpcUrl: string
}

type Headers = Readonly<Record<string, string>>

/** A TIR for a client with keys. */
export interface TirUnderTest {
  /** The path is below the base address. */
  get(path: string): Promise<HttpAnswer>
  /**
   * Posts a message to the JSON-RPC endpoint with the API key: text and bytes unchanged, anything
   * else as JSON. Headers may be replaced; an empty header is left out.
   */
  post(message: unknown, headers?: Headers, query?: string): Promise<HttpAnswer>
  /** Posts a correct JSON-RPC 2.0 request, by default with the id 1. */
  call(method: string, parameters: object, id?: unknown): Promise<HttpAnswer>
  /** An attribute, read without a key; the id without 0x. */
  getAttribute(did: string, attributeId: string): Promise<HttpAnswer>
  readonly client: TirClient
  /** Undefined if the TIR has none. */
  readAttribute(did: string, attributeId: string): Promise<TirAttribute | undefined>
  requireAttribute(did: string, attributeId: string): Promise<TirAttribute>
  /** Undefined while the transaction is not mined. */
  readReceipt(hash: string): Promise<ChainReceipt | undefined>
  awaitReceipt(hash: string): Promise<ChainReceipt>
  /** Builds, signs, sends; ends the check if that is not applied. Returns the hash. */
  writeMetadata(metadata: AttributeMetadata, signer: Signer): Promise<string>
  writeData(data: AttributeData, signer: Signer): Promise<string>
  /** The same for a write that must have no effect. */
  attemptMetadata(metadata: AttributeMetadata, signer: Signer): Promise<Attempt>
  attemptData(data: AttributeData, signer: Signer): Promise<Attempt>
  attemptTransaction(unsigned: UnsignedTransaction, signer: Signer): Promise<Attempt>
}

/** The profile does not say what the body is before there is data: null and no body are empty. */
function withBody(answer: RegistryAnswer): RegistryAnswer {
  const members = membersOf(answer.json)
  const attribute = membersOf(members.attribute)
  if (!('issuerType' in attribute) || (attribute.body ?? null) !== null) return answer
  return { ...answer, json: { ...members, attribute: { ...attribute, body: '' } } }
}

/** Ends the check if the TIR reports an internal error, which is not a verdict, like a 5xx. */
function requestWithVerdict(http: HttpClient, baseUrl: string): RequestRegistry {
  const request = createRequestRegistry(http, baseUrl)
  return async (path, options) => {
    const answer = await request(path, options)
    const { error } = (answer.json ?? {}) as { error?: { code?: unknown; message?: unknown } }
    if (error?.code !== internalError) return withBody(answer)
    const { method = path } = (options?.json ?? {}) as { method?: string }
    const reason = `${method} was answered with the error ${internalError}: ${error.message}`
    endCheck(inconclusive(`${reason}. The log of the TIR has the cause.`))
  }
}

function bodyOf(message: unknown): string | Uint8Array<ArrayBuffer> {
  if (typeof message === 'string') return message
  return message instanceof Uint8Array ? Uint8Array.from(message) : JSON.stringify(message)
}

/** Hex may be in upper case, its prefix 0x may not. */
export const isSameHash = (actual: unknown, expected: string): boolean =>
  typeof actual === 'string' && actual.startsWith('0x') && actual.toLowerCase() === expected

/**
 * Ends the check if the TIR does not return the hash of the transaction: the chain never has a
 * receipt of any other hash, and each check would wait for it.
 */
function requireHash(client: TirClient): TirClient {
  return {
    ...client,
    async send(unsigned, signed) {
      const actual = await client.send(unsigned, signed)
      const expected = hashOfTransaction(signed.raw)
      if (isSameHash(actual, expected)) return actual
      const reason = 'sendSignedTransaction did not return the hash of the transaction (see T96)'
      const fix = 'Return Keccak-256 of all bytes of signedRawTransaction as result, with 0x.'
      endCheck(broken(reason, { expected, actual, fix }))
    },
  }
}

/** Opens the TIR under test for one check. */
export function createTirUnderTest(
  { http, chainHttp }: RegistryClients,
  { baseUrl, apiKey, chainRpcUrl }: TirAddress,
  signal: AbortSignal,
): TirUnderTest {
  const client = requireHash(createTirClient(requestWithVerdict(http, baseUrl), apiKey))
  const readReceipt = (hash: string) => readChainReceipt(chainHttp, chainRpcUrl, hash)
  const awaitReceipt = (hash: string) =>
    awaitChainReceipt(hash, { http: chainHttp, rpcUrl: chainRpcUrl, signal })

  const requireApplied = async (what: string, sending: Promise<string>): Promise<string> => {
    const hash = await sending
    const { status, revertReason } = await awaitReceipt(hash)
    if (status === '0x1') return hash
    const error = describeRevert(revertReason)
    const reason = `${what} was mined and reverted (receipt status ${status}) ${error}`
    const verdictSource = 'status of the receipt at the chain node'
    endCheck(broken(reason.trim(), { verdictSource, expected: '0x1', actual: status }))
  }
  const attempt = async (sending: Promise<string>): Promise<Attempt> => {
    try {
      const { status } = await awaitReceipt(await sending)
      return status === '0x1'
        ? { isApplied: true, observed: 'was applied (receipt status 0x1)' }
        : { isApplied: false, observed: 'was mined and reverted (receipt status 0x0)' }
    } catch (error) {
      return rejectionOf(error)
    }
  }
  const metadataOf = (metadata: AttributeMetadata, signer: Signer) =>
    submitAttributeMetadata({ tir: client }, metadata, signer)
  const dataOf = (data: AttributeData, signer: Signer) =>
    submitAttributeData({ tir: client }, data, signer)

  const readAttribute = client.readAttribute
  const post: TirUnderTest['post'] = (message, changes = {}, query = '') => {
    const headers = { 'content-type': 'application/json', 'x-api-key': apiKey, ...changes }
    const sent = Object.entries(headers).filter(([, value]) => value !== '')
    const request = { method: 'POST', body: bodyOf(message), headers: Object.fromEntries(sent) }
    return http.request(`${baseUrl}/v1/jsonrpc${query}`, request)
  }
  return {
    get: (path) => http.request(`${baseUrl}${path}`),
    post,
    call: (method, parameters, id) => post(rpcRequest(method, parameters, id)),
    getAttribute: (did, attributeId) =>
      http.request(`${baseUrl}/v1/issuers/${encodeURIComponent(did)}/attributes/${attributeId}`),
    client,
    readAttribute,
    async requireAttribute(did, attributeId) {
      const attribute = await readAttribute(did, attributeId)
      if (attribute !== undefined) return attribute
      endCheck(
        broken(`The attribute ${attributeId} of ${did} does not exist after it was published`, {
          fix: 'Return an attribute as soon as its publication is mined (see T02).',
        }),
      )
    },
    readReceipt,
    awaitReceipt,
    writeMetadata: (metadata, signer) =>
      requireApplied('setAttributeMetadata', metadataOf(metadata, signer)),
    writeData: (data, signer) => requireApplied('setAttributeData', dataOf(data, signer)),
    attemptMetadata: (metadata, signer) => attempt(metadataOf(metadata, signer)),
    attemptData: (data, signer) => attempt(dataOf(data, signer)),
    attemptTransaction: (unsigned, { privateKey }) =>
      attempt(client.send(unsigned, signTransaction(unsigned, privateKey))),
  }
}
