import type { Response } from 'express'
import { isTestbedError, TestbedError } from '#core/errors/testbed-error.ts'

export type ErrorBody = (error: TestbedError) => unknown

/** The default wire form of an error, that of the registries and of OAuth 2.0 (RFC 6749, 5.2). */
export const oauthErrorBody: ErrorBody = (error) => ({
  error: error.code,
  error_description: error.message,
  ...error.extra,
})

/**
 * The registries' wire form. What cannot be read at all is a `validation_error` like other input.
 *
 * @assumption A-14
 */
export const registryErrorBody: ErrorBody = (error) => ({
  error: error.code === 'invalid_request' ? 'validation_error' : error.code,
  error_description: error.message,
})

interface HttpError {
  readonly type?: string
  readonly code?: unknown
  readonly status?: number
}

/** Body parsers and routers throw errors of their own; these are the ones a client can cause. */
function fromLibrary(error: HttpError): TestbedError | undefined {
  if (error.type === 'entity.too.large') {
    return new TestbedError({
      code: 'payload_too_large',
      status: 413,
      message: 'The body is larger than this endpoint accepts.',
    })
  }
  if (error.type === 'charset.unsupported' || error.type === 'encoding.unsupported') {
    return new TestbedError({
      code: 'unsupported_media_type',
      status: 415,
      message: 'The charset or content encoding of the body is not supported; send UTF-8.',
    })
  }
  // SQLSTATE character_not_in_repertoire: PostgreSQL keeps no text with the character U+0000.
  if (error.code === '22021') {
    return new TestbedError({
      code: 'invalid_request',
      status: 400,
      message: 'The request holds the character U+0000, which nothing here can have.',
    })
  }
  if (error.status !== undefined && error.status >= 400 && error.status < 500) {
    return new TestbedError({
      code: 'invalid_request',
      status: error.status,
      message: 'The request could not be read: its body or its address is malformed.',
    })
  }
  return undefined
}

/**
 * Turns whatever was thrown into a {@link TestbedError}. What is not a client's mistake becomes a
 * plain 500 that says nothing of the cause; the cause goes to the log.
 */
export function toTestbedError(thrown: unknown): TestbedError {
  if (isTestbedError(thrown)) return thrown
  const known = typeof thrown === 'object' && thrown !== null ? fromLibrary(thrown) : undefined
  if (known !== undefined) return known
  return new TestbedError({
    code: 'server_error',
    status: 500,
    message: 'An internal error occurred. The service has logged its cause under this request id.',
    cause: thrown,
  })
}

/** Sends the error in the given wire form; the only place that does. */
export function sendError(response: Response, error: TestbedError, errorBody: ErrorBody): void {
  if (response.headersSent) {
    response.destroy()
    return
  }
  response.set({ 'cache-control': 'no-store', ...error.headers })
  response.status(error.status).json(errorBody(error))
}

/** The error of every query while the database cannot do its work; what lies behind goes to the log. */
export function databaseUnavailable(detail: string, cause?: unknown): TestbedError {
  return new TestbedError({
    code: 'database_unavailable',
    status: 503,
    message: 'The service cannot reach its database. Try again later.',
    detail,
    cause,
  })
}
