import { TestbedError } from '#core/errors/testbed-error.ts'

/** Creates the error for a request that violates OpenID4VCI, with the specification's code. */
function requestRejected(code: string, message: string): TestbedError {
  return new TestbedError({ code, status: 400, message })
}

export function invalidRequest(message: string): TestbedError {
  return requestRejected('invalid_request', message)
}

export function unsupportedGrantType(supported: string): TestbedError {
  return requestRejected('unsupported_grant_type', `The only supported grant_type is ${supported}.`)
}

export function unsupportedCredentialFormat(supported: string): TestbedError {
  return requestRejected(
    'unsupported_credential_format',
    `The only supported format is ${supported}.`,
  )
}

export function invalidProof(message: string): TestbedError {
  return requestRejected('invalid_proof', message)
}
