import { createHttpClient } from '#kit/create-http-client.ts'
import type { Runtime } from '#kit/runtime.ts'
import { apiKeysUnavailable } from '../errors.ts'

/**
 * Asks the API key service whether a key is currently valid. Results are not cached, so that a
 * revoked key is rejected immediately. Throws a TestbedError (503) if the service does not return a
 * result.
 */
export type ApiKeyValidator = (key: string) => Promise<boolean>

const longestKey = 512

export function createApiKeyValidator(
  runtime: Runtime,
  options: { readonly apiKeysUrl: string; readonly scope: string },
): ApiKeyValidator {
  const client = createHttpClient(runtime, {
    caller: 'tir',
    dependency: 'API key service',
    baseUrl: options.apiKeysUrl,
    faults: ['api-keys-down'],
  })
  return async (key) => {
    if (key === '' || key.length > longestKey) return false
    const { status, json } = await client.postJson('/api-keys/validations', {
      key,
      scope: options.scope,
    })
    const active = (json as { active?: unknown } | null | undefined)?.active
    if (status === 200 && typeof active === 'boolean') return active
    throw apiKeysUnavailable(`HTTP ${status}`)
  }
}
