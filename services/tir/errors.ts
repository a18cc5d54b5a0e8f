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

/** An error in a JSON-RPC response with HTTP 200. */
export function rpcError(code: RpcErrorCode, message: string): TestbedError {
  return new TestbedError({ code, status: 200, message })
}

/** The errors of the REST endpoints (profile/tir, Errors). */
export const restErrors = ['validation_error', 'not_found', 'chain_unavailable', 'server_error']

/** Each of their codes with its status and an example message. */
export const errorCatalogue: ErrorCatalogue = {
  validation_error: { status: 400, message: 'attributeId: must be hexadecimal, without 0x.' },
  not_found: { status: 404, message: 'This DID has no such attribute in the registry.' },
  chain_unavailable: { status: 500, message: 'The blockchain network did not respond.' },
  server_error: { status: 500, message: 'An internal error occurred.' },
}

/** 400 that lists the schema errors of a REST endpoint. */
export function refuseInput(problems: readonly InputProblem[]): TestbedError {
  return new TestbedError({
    code: 'validation_error',
    status: 400,
    message: `${problems.map(({ path, message }) => `${path}: ${message}`).join('; ')}.`,
  })
}

/** 404 for an attribute that is not in the registry. */
export function notPublished(): TestbedError {
  return new TestbedError({
    code: 'not_found',
    status: 404,
    message: 'This DID has no such attribute in the registry.',
  })
}

/** 503 if the API key service does not return a result. */
export function apiKeysUnavailable(detail: string): TestbedError {
  const message = 'The API key service did not respond. Try again later.'
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

/** The error object of a response. */
export function rpcErrorObject(error: TestbedError): RpcErrorObject {
  if (Object.hasOwn(rpcCodes, error.code)) {
    return { code: rpcCodes[error.code as RpcErrorCode], message: error.message }
  }
  if (error.status < 500) return { code: rpcCodes.invalid_request, message: error.message }
  return { code: rpcCodes.internal_error, message: error.message }
}
