import { type ExactNumber, isExactNumber } from './keep-exact-id.ts'

export type RpcId = string | number | ExactNumber | null

export interface RpcRequest {
  /** Undefined for a notification, which is not answered. */
  readonly id: RpcId | undefined
  readonly method: string
  readonly params: readonly unknown[] | object | undefined
}

export type RpcRequestResult =
  | { readonly ok: true; readonly request: RpcRequest }
  | { readonly ok: false; readonly id: RpcId }

/**
 * Reads one JSON-RPC request object (JSON-RPC 2.0, section 4). What is none is answered under its
 * id where that can be told, else under null (section 5).
 *
 * @row 2.endpoints/tir.6
 */
export function parseRpcRequest(value: unknown): RpcRequestResult {
  const id = idOf(value)
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    return { ok: false, id: null }
  }
  const { jsonrpc, method, params } = value as Readonly<Record<string, unknown>>
  const isNotification = !Object.hasOwn(value, 'id')
  const hasParams = Object.hasOwn(value, 'params')
  const isRequest =
    jsonrpc === '2.0' &&
    typeof method === 'string' &&
    (isNotification || id !== undefined) &&
    (!hasParams || (typeof params === 'object' && params !== null))
  if (!isRequest) return { ok: false, id: id ?? null }
  const given = hasParams ? (params as object) : undefined
  return { ok: true, request: { id: isNotification ? undefined : id, method, params: given } }
}

/** The id of a request object, or undefined where there is none of a valid type. */
export function idOf(value: unknown): RpcId | undefined {
  if (typeof value !== 'object' || value === null || !Object.hasOwn(value, 'id')) return undefined
  const { id } = value as { id: unknown }
  const isId = id === null || typeof id === 'string' || typeof id === 'number' || isExactNumber(id)
  return isId ? id : undefined
}
