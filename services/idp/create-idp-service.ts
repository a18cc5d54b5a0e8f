import type { z } from 'zod'
import { apiKeyAuthentication } from '#kit/authentication.ts'
import { createApp } from '#kit/create-app.ts'
import { openDatabase } from '#kit/database.ts'
import { providerHandler, usePublicUrl } from '#kit/openid-provider/provider-handler.ts'
import type { Runtime, Service } from '#kit/runtime.ts'
import { checkHealth } from './adapters/check-health.ts'
import { createClientStore } from './adapters/create-client-store.ts'
import { createCredentialStore } from './adapters/create-credential-store.ts'
import { createLoginStore } from './adapters/create-login-store.ts'
import { createProviderSource } from './adapters/create-provider-source.ts'
import { createScopeMapperStore } from './adapters/create-scope-mapper-store.ts'
import { createVerifierClient } from './adapters/create-verifier-client.ts'
import { createAdminDependencies } from './admin/create-admin-dependencies.ts'
import { zIdpConfig } from './config.ts'
import { createProvider, providerRoutes } from './create-provider.ts'
import type { Dependencies } from './dependencies.ts'
import { migrations } from './migrations.ts'
import { routes } from './routes.ts'
import type { IdpTables } from './tables.ts'

/**
 * The Credential IDP: an OpenID provider whose password is a wallet (document 1, Credential IDP).
 *
 * @row 1.what-the-service-does.4..5 1.endpoints/credential-idp.2
 */
export async function createIdpService(
  given: z.input<typeof zIdpConfig>,
  runtime: Runtime,
): Promise<Service> {
  const config = zIdpConfig.parse(given)
  const log = runtime.log.child({ service: 'idp' })
  const database = await openDatabase<IdpTables>({
    url: config.databaseUrl,
    service: 'idp',
    migrations,
    runtime,
  })
  const base = {
    config,
    runtime,
    log,
    database,
    verifier: createVerifierClient(config, runtime),
    logins: createLoginStore(database, runtime.clock, config.loginRetention),
    credentials: createCredentialStore(database, runtime.clock, config.refreshTokenLifetime),
    clients: createClientStore(database, runtime.clock),
    scopeMappers: createScopeMapperStore(database, runtime.clock),
  }
  await base.clients.seed(config.clients)
  await base.scopeMappers.seed(config.scopeMappers)
  const providers = createProviderSource({
    database,
    clock: runtime.clock,
    snapshots: runtime.snapshots,
    scopeMappers: base.scopeMappers,
    tokenLifetime: Math.max(config.accessTokenLifetime, config.idTokenLifetime),
    createProvider: (...made) => createProvider(base, ...made),
  })
  providers.current().catch((error) => {
    log.fatal({ err: error }, 'the OpenID provider did not start')
  })
  const admin = createAdminDependencies(config, database, runtime)
  const dependencies: Dependencies = {
    ...base,
    admin,
    providers,
    get provider() {
      return providers.current().then(({ provider }) => provider)
    },
  }

  const app = createApp({
    name: 'idp',
    title: 'Credential IDP',
    version: '1.0.0',
    description: 'Signs people in with a verifiable credential that their wallet presents.',
    baseUrl: config.baseUrl,
    runtime,
    dependencies,
    routes,
    docsPath: '/swagger',
    metricsNamespace: config.metricNamespace,
    authentication: { apiKey: apiKeyAuthentication(config.apiKeys) },
    securitySchemes: {
      apiKey: { type: 'apiKey', in: 'header', name: 'x-api-key' },
      accessToken: { type: 'http', scheme: 'bearer' },
    },
    health: () => checkHealth(database, base.verifier),
    before: [usePublicUrl(config.baseUrl)],
    after: [providerHandler(() => dependencies.provider, Object.values(providerRoutes))],
  })
  return {
    app,
    async close() {
      await providers.close()
      await admin.accounts.close()
      await database.destroy()
    },
  }
}
