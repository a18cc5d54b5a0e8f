import { TestbedError } from '#core/errors/testbed-error.ts'

/** A request that breaks OpenID4VCI, with the code that the specification has for it. */
function requestRefused(code: string, message: string): TestbedError {
  return new TestbedError({ code, status: 400, message })
}

export function invalidRequest(message: string): TestbedError {
  return requestRefused('invalid_request', message)
}

export function unsupportedGrantType(supported: string): TestbedError {
  return requestRefused('unsupported_grant_type', `The only grant_type here is ${supported}.`)
}

export function unsupportedCredentialFormat(supported: string): TestbedError {
  return requestRefused('unsupported_credential_format', `The only format here is ${supported}.`)
}

export function invalidProof(message: string): TestbedError {
  return requestRefused('invalid_proof', message)
}
