import { TestbedError } from '#core/errors/testbed-error.ts'
import type { InputProblem } from '#kit/define-route.ts'
import type { ErrorCatalogue } from '#kit/open-api.ts'

/**
 * The codes of JSON-RPC 2.0, section 5.1.
 *
 * @row 2.errors/tir.1..5
 */
export const rpcCodes = {
  parse_error: -32700,
  invalid_request: -32600,
  method_not_found: -32601,
  invalid_params: -32602,
  internal_error: -32603,
} as const

export type RpcErrorCode = keyof typeof rpcCodes

/** An error that a JSON-RPC answer tells under HTTP 200. */
export function rpcError(code: RpcErrorCode, message: string): TestbedError {
  return new TestbedError({ code, status: 200, message })
}

/** What the REST endpoints may answer (profile/tir, Errors). */
export const restErrors = ['validation_error', 'not_found', 'chain_unavailable', 'server_error']

/** Each of their codes with its status and a message as example. */
export const errorCatalogue: ErrorCatalogue = {
  validation_error: { status: 400, message: 'attributeId: must be hexadecimal, without 0x' },
  not_found: { status: 404, message: 'The registry holds no such attribute of this DID.' },
  chain_unavailable: { status: 500, message: 'The blockchain network did not answer.' },
  server_error: { status: 500, message: 'An internal error occurred.' },
}

/** 400 that lists what the schemas of a REST endpoint refused. */
export function refuseInput(problems: readonly InputProblem[]): TestbedError {
  return new TestbedError({
    code: 'validation_error',
    status: 400,
    message: problems.map(({ path, message }) => `${path}: ${message}`).join('; '),
  })
}

/** 404 for an attribute that the registry does not hold. */
export function notPublished(): TestbedError {
  return new TestbedError({
    code: 'not_found',
    status: 404,
    message: 'The registry holds no such attribute of this DID.',
  })
}

/** 503 where the API key service gives no verdict. */
export function apiKeysUnavailable(detail: string): TestbedError {
  const message = 'The API key service gave no verdict.'
  return new TestbedError({ code: 'api_keys_unavailable', status: 503, message, detail })
}

/** 400 for a message without a body. */
export function emptyBody(): TestbedError {
  return new TestbedError({ code: 'parse_error', status: 400, message: 'The body is empty.' })
}

export interface RpcErrorObject {
  readonly code: number
  readonly message: string
}

/** The error object of an answer; a fault of the server's own tells nothing of its cause. */
export function rpcErrorObject(error: TestbedError): RpcErrorObject {
  if (Object.hasOwn(rpcCodes, error.code)) {
    return { code: rpcCodes[error.code as RpcErrorCode], message: error.message }
  }
  if (error.status < 500) return { code: rpcCodes.invalid_request, message: error.message }
  return { code: rpcCodes.internal_error, message: 'Internal error.' }
}
