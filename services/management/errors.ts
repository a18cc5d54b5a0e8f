import { TestbedError } from '#core/errors/testbed-error.ts'

/** The error responses of the stand-in. */
export const managementErrorCatalogue = {
  not_found: { status: 404, message: 'Unknown organization.' },
  invalid_token: { status: 401, message: 'A Bearer token is required.' },
  invalid_api_key: { status: 401, message: 'The API key is not valid.' },
  invalid_request: { status: 400, message: 'The request does not have the documented shape.' },
} as const

export function organizationNotFound(): TestbedError {
  return new TestbedError({ code: 'not_found', ...managementErrorCatalogue.not_found })
}

export function bearerTokenRequired(): TestbedError {
  return new TestbedError({
    code: 'invalid_token',
    ...managementErrorCatalogue.invalid_token,
    headers: { 'www-authenticate': 'Bearer' },
  })
}

export function askedToFail(): TestbedError {
  return new TestbedError({ code: 'server_error', status: 500, message: 'Simulated failure.' })
}
