import type { Response } from 'express'
import { isTestbedError, TestbedError } from '#core/errors/testbed-error.ts'

export type ErrorBody = (error: TestbedError) => unknown

/**
 * The default wire format of an error, used by the registries (A-14) and OAuth 2.0 (RFC 6749, 5.2).
 */
export const oauthErrorBody: ErrorBody = (error) => ({
  error: error.code,
  error_description: error.message,
  ...error.extra,
})

/**
 * The registries' wire format. An unparseable request is a `validation_error`, like any other invalid
 * input.
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
  readonly limit?: number
  readonly message?: string
}

/** The types of errors of body parsers about how a body is sent, apart from its size in bytes. */
const unreadable = ['charset.unsupported', 'encoding.unsupported', 'parameters.too.many']

/** Whether a body parser rejected the form of a body: its charset, encoding or parameters. */
export function isUnreadable(thrown: unknown): boolean {
  const { type = '' } = (thrown ?? {}) as HttpError
  return unreadable.includes(type)
}

/** Converts the errors of body parsers and routers that a client can cause. */
function fromLibrary(error: HttpError): TestbedError | undefined {
  if (error.type === 'entity.too.large') {
    return payloadTooLarge(
      `The body is larger than the ${error.limit} bytes that are accepted here.`,
    )
  }
  if (error.type === 'parameters.too.many') {
    return invalidRequest('The body has more parameters than this endpoint accepts.', 413)
  }
  if (error.type === 'charset.unsupported' || error.type === 'encoding.unsupported') {
    return unsupportedMediaType(
      'The charset or content encoding of the body is not supported; send UTF-8.',
    )
  }
  if (error.type === 'entity.parse.failed') {
    // Only the place: the rest of the parser's message quotes the body.
    const place = /line \d+ column \d+/.exec(error.message ?? '')
    return invalidRequest(`The body is not valid JSON${place ? ` (${place[0]})` : ''}.`)
  }
  if (error instanceof URIError) {
    return invalidRequest('The address contains a % that does not encode UTF-8.')
  }
  // SQLSTATE character_not_in_repertoire: PostgreSQL cannot store the character U+0000 in text.
  if (error.code === '22021') {
    return invalidRequest('The request contains the character U+0000, which is not allowed.')
  }
  if (error.status !== undefined && error.status >= 400 && error.status < 500) {
    return invalidRequest(
      'The request could not be read: its body or its address is malformed.',
      error.status,
    )
  }
  return undefined
}

/**
 * Turns any thrown value into a {@link TestbedError}. Anything but a client's mistake becomes a
 * plain 500 without the cause, which goes to the log.
 */
export function toTestbedError(thrown: unknown): TestbedError {
  if (isTestbedError(thrown)) return thrown
  const known = typeof thrown === 'object' && thrown !== null ? fromLibrary(thrown) : undefined
  if (known !== undefined) return known
  return new TestbedError({
    code: 'server_error',
    status: 500,
    message: 'An internal error occurred. The service logged the cause with this request id.',
    cause: thrown,
  })
}

/** Sends the error in the given wire format; the only place that does. */
export function sendError(response: Response, error: TestbedError, errorBody: ErrorBody): void {
  if (response.headersSent) {
    response.destroy()
    return
  }
  response.set({ 'cache-control': 'no-store', ...error.headers })
  response.status(error.status).json(errorBody(error))
}

/** The input is malformed, or violates a rule of the profile. */
export function invalidRequest(message: string, status = 400): TestbedError {
  return new TestbedError({ code: 'invalid_request', status, message })
}

export function payloadTooLarge(message: string): TestbedError {
  return new TestbedError({ code: 'payload_too_large', status: 413, message })
}

export function unsupportedMediaType(message: string): TestbedError {
  return new TestbedError({ code: 'unsupported_media_type', status: 415, message })
}

export function nothingHere(): TestbedError {
  const message = 'No resource at this address.'
  return new TestbedError({ code: 'not_found', status: 404, message })
}

export function methodNotAllowed(methods: readonly string[]): TestbedError {
  // Every resource that supports GET supports HEAD (RFC 9110, 9.1).
  const allow = methods.flatMap((each) => (each === 'GET' ? ['GET', 'HEAD'] : [each])).join(', ')
  const message = `This address only supports ${allow}.`
  return new TestbedError({ code: 'method_not_allowed', status: 405, message, headers: { allow } })
}

export function invalidApiKey(isMissing: boolean): TestbedError {
  const message = isMissing ? 'The header x-api-key is missing.' : 'The API key is not valid.'
  return new TestbedError({ code: 'invalid_api_key', status: 401, message })
}

/** @param challenge without an error code for a request that has no token at all (RFC 6750, 3) */
export function invalidToken(challenge: string, cause?: unknown): TestbedError {
  const headers = { 'www-authenticate': challenge }
  return new TestbedError({
    code: 'invalid_token',
    status: 401,
    message: 'invalid token',
    headers,
    cause,
  })
}

export function foreignOrigin(): TestbedError {
  return new TestbedError({
    code: 'foreign_origin',
    status: 403,
    message: 'The Host or Origin header names another server.',
    hints: ['Add the host name to --allowed-hosts, or to ALLOWED_HOSTS of a single service.'],
  })
}

export function dependencyUnavailable(
  message: string,
  detail: string,
  cause?: unknown,
): TestbedError {
  return new TestbedError({ code: 'dependency_unavailable', status: 503, message, detail, cause })
}

export function chainUnavailable(detail: string, cause?: unknown): TestbedError {
  const message = 'The blockchain network did not respond. Try again later.'
  return new TestbedError({ code: 'chain_unavailable', status: 500, message, detail, cause })
}

/** The work belongs to a state before a restored snapshot. */
export function cutOff(): TestbedError {
  const message = 'A snapshot was restored during this request.'
  return new TestbedError({ code: 'cut_off', status: 503, message })
}

/** The error of every query while the database is unavailable; the cause goes to the log. */
export function databaseUnavailable(detail: string, cause?: unknown): TestbedError {
  const message = 'The service cannot reach its database. Try again later.'
  return new TestbedError({ code: 'database_unavailable', status: 503, message, detail, cause })
}

/** The database server cannot be used at the start of a service. */
export function databaseUnreachable(message: string, cause: unknown): TestbedError {
  const hints = [
    'Start the server, or check host, port, user, password and database in the database URL.',
  ]
  return new TestbedError({ code: 'database_unreachable', status: 500, message, hints, cause })
}

/** Describes the problem of a database file, with its path. */
export function unusableDatabaseFile(path: string, service: string, cause: unknown): TestbedError {
  const { message, errcode, code } = cause as NodeJS.ErrnoException & { errcode?: number }
  const isDamaged = errcode === 11 || errcode === 26
  return new TestbedError({
    code: isDamaged ? 'database_damaged' : 'database_refused',
    status: 500,
    message: isDamaged
      ? `The database ${path} of ${service} is damaged (${message}).`
      : `The database ${path} of ${service} cannot be opened (${message || code}).`,
    hints: isDamaged
      ? ['Restore the file from a backup.']
      : ['Check that the file and its folder exist and are writable, and that the disk has space.'],
    cause,
  })
}

export function migrationFailed(service: string, cause: unknown): TestbedError {
  return new TestbedError({
    code: 'migration_failed',
    status: 500,
    message: `The database of ${service} could not be migrated.`,
    detail: cause instanceof Error ? cause.message : String(cause),
    hints: [
      'If a newer version wrote it, start that version. Otherwise restore the database from a backup.',
    ],
    cause,
  })
}

export function invalidConfiguration(message: string, cause?: unknown): TestbedError {
  return new TestbedError({ code: 'invalid_configuration', status: 500, message, cause })
}

/**
 * The browser has no such pending login: it is complete, has expired, or belongs to another
 * browser.
 */
export function loginExpired(): TestbedError {
  const message = 'This login is over, has expired, or was started in another browser.'
  return new TestbedError({ code: 'login_expired', status: 400, message })
}
