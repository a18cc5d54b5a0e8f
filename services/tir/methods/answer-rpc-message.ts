import { toTestbedError } from '#kit/errors.ts'
import type { TirDependencies } from '../dependencies.ts'
import { parseRpcRequest, type RpcId } from '../domain/parse-rpc-request.ts'
import { type RpcErrorObject, rpcError, rpcErrorObject } from '../errors.ts'
import { rpcMethods } from './rpc-methods.ts'

export type RpcAnswer = { readonly jsonrpc: '2.0'; readonly id: RpcId } & (
  | { readonly result: unknown }
  | { readonly error: RpcErrorObject }
)

const largestBatch = 100

/**
 * Answers a JSON-RPC message, single or batch (JSON-RPC 2.0, sections 4 to 6). Requests of a batch
 * are served one after the other, as transactions of one signer have an order. Undefined where
 * there is nothing to answer: notifications alone.
 *
 * @row 2.endpoints/tir.7..8
 */
export async function answerRpcMessage(
  message: unknown,
  dependencies: TirDependencies,
): Promise<RpcAnswer | readonly RpcAnswer[] | undefined> {
  if (!Array.isArray(message)) return answerOne(message, dependencies)
  if (message.length === 0 || message.length > largestBatch) {
    const text = `A batch holds 1 to ${largestBatch} requests.`
    return errorAnswer(null, rpcErrorObject(rpcError('invalid_request', text)))
  }
  const answers: RpcAnswer[] = []
  for (const member of message) {
    const answer = await answerOne(member, dependencies)
    if (answer !== undefined) answers.push(answer)
  }
  return answers.length === 0 ? undefined : answers
}

/** An answer that tells an error. */
export function errorAnswer(id: RpcId, error: RpcErrorObject): RpcAnswer {
  return { jsonrpc: '2.0', id, error }
}

async function answerOne(
  message: unknown,
  dependencies: TirDependencies,
): Promise<RpcAnswer | undefined> {
  const parsed = parseRpcRequest(message)
  if (!parsed.ok) {
    const error = rpcError('invalid_request', 'This is no JSON-RPC 2.0 request object.')
    return errorAnswer(parsed.id, rpcErrorObject(error))
  }
  const { id, method, params } = parsed.request
  const answer = await call(method, params, dependencies)
  return id === undefined ? undefined : { jsonrpc: '2.0', id, ...answer }
}

async function call(
  name: string,
  params: unknown,
  dependencies: TirDependencies,
): Promise<{ result: unknown } | { error: RpcErrorObject }> {
  try {
    const method = rpcMethods.get(name)
    if (method === undefined) throw rpcError('method_not_found', 'There is no such method.')
    return { result: await method(params, dependencies) }
  } catch (thrown) {
    const error = toTestbedError(thrown)
    if (error.status >= 500) {
      dependencies.log.error({ err: error.cause ?? error, detail: error.detail }, error.message)
    }
    return { error: rpcErrorObject(error) }
  }
}
