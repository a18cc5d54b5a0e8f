import { TestbedError } from '#core/errors/testbed-error.ts'
import { preAuthorizedCodeGrant } from '../grant-types.ts'
import type { TokenRequest } from './token-request.ts'

/**
 * Reads the form of a token request (Document 1, Endpoints an issuer exposes to the wallet).
 * Throws a TestbedError with the codes of RFC 6749 5.2: `invalid_request` where a parameter is
 * missing, empty or sent twice, `unsupported_grant_type` for another grant.
 */
export function parseTokenRequest(form: Readonly<Record<string, unknown>>): TokenRequest {
  const grantType = readParameter(form, 'grant_type')
  if (grantType === undefined) throw invalidRequest('grant_type is missing.')
  if (grantType !== preAuthorizedCodeGrant) {
    throw new TestbedError({
      code: 'unsupported_grant_type',
      status: 400,
      message: `The only grant_type here is ${preAuthorizedCodeGrant}.`,
    })
  }
  const preAuthorizedCode = readParameter(form, 'pre-authorized_code')
  if (preAuthorizedCode === undefined) throw invalidRequest('pre-authorized_code is missing.')
  const txCode = readParameter(form, 'tx_code')
  return { preAuthorizedCode, ...(txCode === undefined ? {} : { txCode }) }
}

function readParameter(form: Readonly<Record<string, unknown>>, name: string): string | undefined {
  const value = Object.hasOwn(form, name) ? form[name] : undefined
  if (value === undefined) return undefined
  if (typeof value !== 'string') throw invalidRequest(`${name} was sent more than once.`)
  // RFC 6749, 3.2: a parameter without a value counts as left out.
  return value === '' ? undefined : value
}

function invalidRequest(message: string): TestbedError {
  return new TestbedError({ code: 'invalid_request', status: 400, message })
}
