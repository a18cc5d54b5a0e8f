import { createApp } from '#kit/create-app.ts'
import { openDatabase } from '#kit/open-database.ts'
import type { Runtime, Service } from '#kit/runtime.ts'
import { createApiKeyStore } from './adapters/api-key-store.ts'
import { type ApiKeysSchema, apiKeyMigrations } from './adapters/api-key-tables.ts'
import type { ApiKeysConfig } from './config.ts'
import { hashApiKey } from './domain/hash-api-key.ts'
import { validateApiKey } from './routes/validate-api-key.ts'

export const apiKeysRoutes = [validateApiKey]

/** The API key management service that the registries ask (Document 2, Authentication). */
export async function createApiKeysService(
  config: ApiKeysConfig,
  runtime: Runtime,
): Promise<Service> {
  const { baseUrl, databaseUrl, initialKeys } = config
  const database = await openDatabase<ApiKeysSchema>({
    url: databaseUrl,
    service: 'api-keys',
    migrations: apiKeyMigrations,
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
    description: 'Which API keys are valid, and for what.',
    baseUrl,
    runtime,
    dependencies: { keys },
    routes: apiKeysRoutes,
    docsPath: '/api-docs',
  })
  return { app, close: () => database.destroy() }
}
