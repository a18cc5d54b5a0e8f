import { TestbedError } from '#core/errors/testbed-error.ts'
import type { InputProblem } from '#kit/define-route.ts'
import { oauthErrorBody } from '#kit/error-response.ts'

/** Every code that this service answers with (Document 2, Errors; A-11). */
export const errorCodes = {
  validation: 'validation_error',
  unsupported: 'UNSUPPORTED',
  signature: 'invalid_signature',
  nonce: 'invalid_nonce',
  funds: 'insufficient_funds',
  notFound: 'not_found',
  notAcceptable: 'not_acceptable',
} as const

/** 400 for a member that does not have the documented form. */
export function validationError(message: string): TestbedError {
  return new TestbedError({ code: errorCodes.validation, status: 400, message })
}

/** 400 that lists what the schemas refused. */
export function refuseInput(problems: readonly InputProblem[]): TestbedError {
  const listed = problems.slice(0, 8).map(({ in: place, path, message, missing }) => {
    const name = path === '' ? place : path
    return missing ? `${name} is required` : `${name}: ${message}`
  })
  return validationError(`${listed.join('; ')}.`)
}

/**
 * The documented body. What cannot be read at all is a `validation_error` like any other input.
 *
 * @assumption A-14
 */
export function errorBody(error: TestbedError): unknown {
  const code = error.code === 'invalid_request' ? errorCodes.validation : error.code
  return { ...(oauthErrorBody(error) as object), error: code }
}
