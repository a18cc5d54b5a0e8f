import type { z } from 'zod'
import { apiKeyAuthentication } from '#kit/authentication.ts'
import { createApp, type Health } from '#kit/create-app.ts'
import { createLoginLock, type LoginLockPolicy } from '#kit/create-login-lock.ts'
import { type Database, openDatabase } from '#kit/database.ts'
import { providerHandler, usePublicUrl } from '#kit/openid-provider/openid-routes.ts'
import type { Runtime, Service } from '#kit/runtime.ts'
import { createAdminAccountStore, createAdminSessionStore } from './adapters/admin-store.ts'
import { createClientStore } from './adapters/client-store.ts'
import { createCredentialStore } from './adapters/credential-store.ts'
import { createLoginStore } from './adapters/login-store.ts'
import { createProviderSource } from './adapters/provider-source.ts'
import { createScopeMapperStore } from './adapters/scope-mapper-store.ts'
import { createVerifierClient, type VerifierClient } from './adapters/verifier-client.ts'
import { createAdminLinks } from './admin/admin-links.ts'
import { openAdminPanel } from './admin/login.ts'
import { adminRoutes } from './admin/routes.ts'
import { zIdpConfig } from './config.ts'
import type { Dependencies } from './dependencies.ts'
import { providerRoutes } from './domain/provider-routes.ts'
import { unknownPage } from './pages/page.ts'
import {
  cancelLogin,
  getAsset,
  getInteraction,
  renewLogin,
  returnFromWallet,
} from './routes/interaction.ts'
import {
  discovery,
  getAuthorize,
  getJwks,
  getUserinfo,
  postAuthorize,
  postToken,
  postUserinfo,
} from './routes/openid.ts'
import { createAdminLink, getExplainedSession, listExplainedSessions } from './routes/operator.ts'
import { getSessionStatus, postResult } from './routes/sessions.ts'
import { type IdpTables, migrations } from './tables.ts'

/** Every endpoint of the IDP, in the order of the profile; the pages come last. */
const routes = [
  ...discovery,
  getAuthorize,
  postAuthorize,
  postToken,
  getUserinfo,
  postUserinfo,
  getJwks,
  getSessionStatus,
  postResult,
  listExplainedSessions,
  getExplainedSession,
  createAdminLink,
  getInteraction,
  renewLogin,
  cancelLogin,
  returnFromWallet,
  getAsset,
  openAdminPanel,
  ...adminRoutes,
]

/** After the third wrong password the next attempt must wait, at most 15 minutes. */
const lockPolicy: LoginLockPolicy = {
  memory: 86_400,
  account: { free: 3, first: 1, longest: 900 },
  address: { free: 20, first: 1, longest: 900 },
}

/**
 * The Credential IDP: an OpenID provider at which users log in with a wallet (profile/idp,
 * Endpoints).
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
    // oidc-provider takes a tenth of the start to load; the first login can wait for it.
    async createProvider(...made) {
      const { createProvider } = await import('./adapters/openid-provider.ts')
      return createProvider(base, ...made)
    },
  })
  const accounts = createAdminAccountStore({
    database,
    clock: runtime.clock,
    snapshots: runtime.snapshots,
    initial: config.admin,
    key: config.cookieKeys[0] ?? '',
  })
  const sessions = createAdminSessionStore(database, runtime.clock, {
    idle: config.adminSessionIdle,
    lifetime: config.adminSessionLifetime,
  })
  const links = createAdminLinks(runtime.clock)
  const lock = createLoginLock(database, runtime.clock, lockPolicy)
  const dependencies: Dependencies = {
    ...base,
    providers,
    admin: { accounts, sessions, lock, links },
  }

  const app = createApp({
    name: 'idp',
    title: 'Credential IDP',
    version: '1.0.0',
    description: 'Logs users in with a verifiable credential that their wallet presents.',
    baseUrl: config.baseUrl,
    runtime,
    dependencies,
    routes,
    docsPath: '/swagger',
    metricsNamespace: config.metricNamespace,
    authentication: {
      apiKey: apiKeyAuthentication(config.apiKeys),
      operator: apiKeyAuthentication(config.operatorKey === undefined ? [] : [config.operatorKey]),
    },
    securitySchemes: {
      apiKey: { type: 'apiKey', in: 'header', name: 'x-api-key' },
      accessToken: { type: 'http', scheme: 'bearer' },
    },
    health: () => checkHealth(database, base.verifier),
    before: [usePublicUrl(config.baseUrl)],
    unknownPage,
    after: [providerHandler(async () => (await providers.readCurrent()).provider, providerRoutes)],
  })
  return {
    app,
    async close() {
      await providers.close()
      await accounts.close()
      await database.destroy()
    },
  }
}

/**
 * The health of the service and its database: 503 during an outage of the database. Services that
 * a login also needs are named while they are unavailable, which does not change the status.
 *
 * @see profile/idp, Endpoints: {status, db}
 * @assumption A-25
 * @row 1.endpoints/credential-idp.1 1.errors.9
 */
async function checkHealth(
  database: Database<IdpTables>,
  verifier: VerifierClient,
): Promise<Health> {
  const db = await database.check()
  if (db === 'disconnected') return { healthy: false, body: { status: 'error', db } }
  const dependencies = await verifier.readUnavailable()
  return { healthy: true, body: { status: 'ok', db, dependencies } }
}
