import { TestbedError } from '#core/errors/testbed-error.ts'
import type { Authentication } from '#kit/register-route.ts'
import { secretsEqual } from '#kit/secrets-equal.ts'

/**
 * Lets in whoever sends one of the given keys as `x-api-key` (documents 1 and 2, Authentication).
 * @row 1.authentication.2
 * @assumption A-25 401 where the key is missing or wrong
 */
export function apiKeyAuthentication(keys: readonly string[]): Authentication {
  return (request) => {
    const given = request.get('x-api-key') ?? ''
    // Every key is compared, so that the time tells nothing about which one came near.
    const matches = keys.filter((key) => secretsEqual(given, key))
    if (matches.length > 0) return undefined
    throw new TestbedError({
      code: 'invalid_api_key',
      status: 401,
      message: given === '' ? 'The header x-api-key is missing.' : 'The API key is not valid.',
    })
  }
}
