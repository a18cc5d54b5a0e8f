import type { z } from 'zod'
import { toHex } from '#core/ethereum/account.ts'
import { plainIssues } from '#core/json/plain-issues.ts'
import { type Refusal, sendTransaction } from '#kit/chain-transactions.ts'
import { toTestbedError } from '#kit/errors.ts'
import { tirCalls } from '../adapters/tir-contract.ts'
import type { Dependencies } from '../dependencies.ts'
import { issuerTypes } from '../domain/issuers.ts'
import {
  parseRpcRequest,
  type RpcId,
  zSendSignedTransaction,
  zSetAttributeData,
  zSetAttributeMetadata,
} from '../domain/rpc-message.ts'
import { verifySignedTransaction } from '../domain/verify-signed-transaction.ts'
import { type RpcErrorObject, rpcError, rpcErrorObject } from '../errors.ts'

export type RpcAnswer = { readonly jsonrpc: '2.0'; readonly id: RpcId } & (
  | { readonly result: unknown }
  | { readonly error: RpcErrorObject }
)

/**
 * Answers a JSON-RPC message, single or batch (JSON-RPC 2.0, sections 4 to 6). Processes the
 * requests of a batch sequentially, since transactions of one signer have an order. Undefined if
 * there is no response, because all requests are notifications.
 *
 * @row 2.endpoints/tir.7..8
 */
export async function answerRpcMessage(
  message: unknown,
  dependencies: Dependencies,
): Promise<RpcAnswer | readonly RpcAnswer[] | undefined> {
  if (!Array.isArray(message)) return answerOne(message, dependencies)
  if (message.length === 0 || message.length > largestBatch) {
    const text = `A batch must contain 1 to ${largestBatch} requests.`
    return errorAnswer(null, rpcErrorObject(rpcError('invalid_request', text)))
  }
  const answers: RpcAnswer[] = []
  for (const member of message) {
    const answer = await answerOne(member, dependencies)
    if (answer !== undefined) answers.push(answer)
  }
  return answers.length === 0 ? undefined : answers
}

/** A response with an error. */
export function errorAnswer(id: RpcId, error: RpcErrorObject): RpcAnswer {
  return { jsonrpc: '2.0', id, error }
}

async function answerOne(
  message: unknown,
  dependencies: Dependencies,
): Promise<RpcAnswer | undefined> {
  const parsed = parseRpcRequest(message)
  if (!parsed.ok) {
    const text =
      'Not a JSON-RPC 2.0 request. Send an object with jsonrpc "2.0", a string as method, an array with one object as params, and a string or number as id.'
    const error = rpcError('invalid_request', text)
    return errorAnswer(parsed.id, rpcErrorObject(error))
  }
  const { id, method, params } = parsed.request
  const answer = await call(method, params, dependencies)
  return id === undefined ? undefined : { jsonrpc: '2.0', id, ...answer }
}

async function call(
  name: string,
  params: unknown,
  dependencies: Dependencies,
): Promise<{ result: unknown } | { error: RpcErrorObject }> {
  try {
    const method = rpcMethods.get(name)
    if (method === undefined) {
      const known = [...rpcMethods.keys()].join(', ')
      throw rpcError('method_not_found', `Unknown method. Known methods: ${known}.`)
    }
    return { result: await method(params, dependencies) }
  } catch (thrown) {
    const error = toTestbedError(thrown)
    if (error.status >= 500) {
      dependencies.log.error({ err: error.cause ?? error, detail: error.detail }, error.message)
    }
    return { error: rpcErrorObject(error) }
  }
}

/** A JSON-RPC method: receives `params`, returns `result`, throws errors of {@link rpcError}. */
type RpcMethod = (params: unknown, dependencies: Dependencies) => Promise<unknown>

/**
 * Parses `params`, an array with one object (profile/tir, Endpoints).
 * @throws TestbedError `invalid_params`
 */
function parseParams<Schema extends z.ZodType>(schema: Schema, params: unknown): z.output<Schema> {
  if (!Array.isArray(params) || params.length !== 1) {
    throw rpcError('invalid_params', 'Invalid params: params must be an array with one object.')
  }
  const result = schema.safeParse(params[0], { ...plainIssues, reportInput: true })
  if (result.success) return result.data
  const problems = result.error.issues.slice(0, 8).map(({ path, message, input }) => {
    const name = path.join('.') || 'params[0]'
    return input === undefined ? `${name} is required` : `${name}: ${message}`
  })
  throw rpcError('invalid_params', `Invalid params: ${problems.join('; ')}.`)
}

/**
 * Sends a signed transaction and returns its hash as soon as the node has accepted it; the receipt
 * shows whether it was applied (profile/tir, JSON-RPC). A transaction that fails a validation is
 * not sent.
 *
 * @row 2.endpoints/tir.12..13 2.endpoints/tir.16
 */
const sendSignedTransaction: RpcMethod = async (params, dependencies) => {
  const { chain, contractAddress, transactions } = dependencies
  const input = parseParams(zSendSignedTransaction, params)
  const network = { chainId: await transactions.chainId(), contractAddress }
  const verdict = verifySignedTransaction(input, network)
  if (!verdict.ok) {
    const reasons = verdict.failures.map(({ reason }) => reason)
    throw rpcError('invalid_params', reasons.join(' '))
  }
  const { transaction } = verdict
  const sent = await sendTransaction(chain, input.signedRawTransaction, transaction)
  if (!sent.ok) throw rpcError('invalid_params', messageOf(sent.refusal, sent.reason))
  return transaction.hash
}

function messageOf(refusal: Refusal, reason: string): string {
  return {
    nonce: 'The nonce is obsolete: build the transaction again.',
    funds:
      'The signer has no funds for the gas or value of this transaction. Sign it as built, with gasPrice and value 0x0.',
    other: `The chain rejected the transaction: ${reason.slice(0, 300)}`,
  }[refusal]
}

/**
 * Builds the transaction that stores an accreditation (profile/tir, JSON-RPC).
 *
 * @row 2.endpoints/tir.11
 */
const setAttributeData: RpcMethod = (params, { environment, transactions }) => {
  const input = parseParams(zSetAttributeData(environment), params)
  const data = tirCalls.setAttributeData.encodeInput({
    did: input.did,
    attributeId: Buffer.from(input.attributeId.slice(2), 'hex'),
    attributeData: Buffer.from(input.attributeData.slice(2), 'hex'),
  })
  return transactions.build({ from: input.from, data: toHex(data) })
}

/**
 * Builds the transaction that publishes or revokes an attribute (profile/tir, JSON-RPC).
 *
 * @row 2.endpoints/tir.10
 */
const setAttributeMetadata: RpcMethod = (params, { environment, transactions }) => {
  const input = parseParams(zSetAttributeMetadata(environment), params)
  const data = tirCalls.setAttributeMetadata.encodeInput({
    did: input.did,
    revisionId: Buffer.from(input.revisionId.slice(2), 'hex'),
    issuerType: BigInt(issuerTypes.indexOf(input.issuerType)),
    taoDid: input.taoDid,
    attributeIdTao: Buffer.from(input.attributeIdTao.slice(2), 'hex'),
  })
  return transactions.build({ from: input.from, data: toHex(data) })
}

/**
 * The methods by name (profile/tir, JSON-RPC).
 *
 * @row 2.what-the-service-does.2
 */
export const rpcMethods: ReadonlyMap<string, RpcMethod> = new Map([
  ['setAttributeMetadata', setAttributeMetadata],
  ['setAttributeData', setAttributeData],
  ['sendSignedTransaction', sendSignedTransaction],
])

const largestBatch = 100
