import type { z } from 'zod'
import { apiKeyAuthentication } from '#kit/authentication.ts'
import { createApp } from '#kit/create-app.ts'
import { openDatabase } from '#kit/database.ts'
import type { Runtime, Service } from '#kit/runtime.ts'
import { createApiKeyStore } from './adapters/api-key-store.ts'
import { zApiKeysConfig } from './config.ts'
import { hashApiKey } from './domain/api-key.ts'
import { errorCatalogue } from './errors.ts'
import { createApiKey, listApiKeys, revokeApiKey, validateApiKey } from './routes/api-keys.ts'
import { type ApiKeysTables, migrations } from './tables.ts'

const apiKeysRoutes = [validateApiKey, createApiKey, listApiKeys, revokeApiKey]

/** The API key management service of the registries (profile/did-registry, Access). */
export async function createApiKeysService(
  given: z.input<typeof zApiKeysConfig>,
  runtime: Runtime,
): Promise<Service> {
  const config = zApiKeysConfig.parse(given)
  const { baseUrl, databaseUrl, initialKeys, operatorKey } = config
  const database = await openDatabase<ApiKeysTables>({
    url: databaseUrl,
    service: 'api-keys',
    migrations,
    runtime,
  })
  const keys = createApiKeyStore(database)
  await keys.applyConfiguration(
    initialKeys.map(({ name, scope, key }) => ({ name, scope, keyHash: hashApiKey(key) })),
    runtime.clock.seconds(),
  )
  const app = createApp({
    name: 'api-keys',
    title: 'API keys',
    version: '1.0.0',
    description: 'Manages API keys and validates them.',
    baseUrl,
    runtime,
    database,
    dependencies: { keys, clock: runtime.clock },
    routes: apiKeysRoutes,
    errorCatalogue,
    authentication: {
      operator: apiKeyAuthentication(operatorKey === undefined ? [] : [operatorKey]),
    },
    securitySchemes: { operator: { type: 'apiKey', in: 'header', name: 'x-api-key' } },
    docsPath: '/api-docs',
  })
  return { app, close: () => database.destroy() }
}
