import type { z } from 'zod'
import { apiKeyAuthentication } from '#kit/authentication.ts'
import { createApp } from '#kit/create-app.ts'
import { createLoginLock, type LoginLockPolicy } from '#kit/create-login-lock.ts'
import { openDatabase } from '#kit/database.ts'
import { createLazy } from '#kit/lazy.ts'
import {
  discoveryRoutes,
  postAsGet,
  providerHandler,
  usePublicUrl,
} from '#kit/openid-provider/openid-routes.ts'
import { loadSigningKeys } from '#kit/openid-provider/signing-keys.ts'
import type { Runtime, Service } from '#kit/runtime.ts'
import { createAccountStore } from './adapters/account-store.ts'
import { createBroker } from './adapters/broker-client.ts'
import { createBrokerStore } from './adapters/broker-store.ts'
import { zTokenIssuerConfig } from './config.ts'
import type { Dependencies } from './dependencies.ts'
import { claimsByScope, providerRoutes } from './domain/provider-routes.ts'
import { unknownPage } from './pages/pages.ts'
import { completeBrokerLogin, finishBrokerLogin, startBrokerLogin } from './routes/broker-login.ts'
import { getLogin, getStyle, postLogin } from './routes/login.ts'
import { postBearerToken } from './routes/post-bearer-token.ts'
import { migrations, type TokenIssuerTables } from './tables.ts'

/** Endpoints of OpenID Connect that oidc-provider lacks: discovery, and POST to its pages. */
const openidRoutes = [
  ...discoveryRoutes<Dependencies>(({ config: { baseUrl } }) => ({
    issuer: baseUrl,
    authorization_endpoint: `${baseUrl}${providerRoutes.authorization}`,
    token_endpoint: `${baseUrl}${providerRoutes.token}`,
    end_session_endpoint: `${baseUrl}${providerRoutes.end_session}`,
    jwks_uri: `${baseUrl}${providerRoutes.jwks}`,
    scopes_supported: Object.keys(claimsByScope),
    claims: Object.values(claimsByScope).flat(),
  })),
  postAsGet<Dependencies>(providerRoutes.authorization),
  postAsGet<Dependencies>(providerRoutes.end_session),
]

const routes = [
  ...openidRoutes,
  getStyle,
  getLogin,
  postLogin,
  startBrokerLogin,
  finishBrokerLogin,
  completeBrokerLogin,
  postBearerToken,
]

/** The delay matches the login page, which asks the user to wait a minute. */
const lockPolicy: LoginLockPolicy = {
  memory: 60,
  account: { free: 10, first: 60, longest: 60 },
  address: { free: 20, first: 60, longest: 60 },
}

/**
 * The token issuer: the OpenID provider of the organizations' portals, which issues the Bearer
 * tokens that the Issuer accepts. Users log in with a local account or, through the IDP as an
 * external provider, with their wallet (profile/README, The parts).
 */
export async function createTokenIssuerService(
  given: z.input<typeof zTokenIssuerConfig>,
  runtime: Runtime,
): Promise<Service> {
  const config = zTokenIssuerConfig.parse(given)
  const log = runtime.log.child({ service: 'token-issuer' })
  const database = await openDatabase<TokenIssuerTables>({
    url: config.databaseUrl,
    service: 'token-issuer',
    migrations,
    runtime,
  })
  const base = {
    config,
    runtime,
    log,
    database,
    accounts: createAccountStore(database, config.accounts, runtime.clock),
    lock: createLoginLock(database, runtime.clock, lockPolicy),
    brokers: new Map(
      config.brokers.map((each) => [each.alias, createBroker(each, config.baseUrl, runtime)]),
    ),
    brokerStore: createBrokerStore(database, runtime.clock),
  }
  const signingKeys = createLazy(() => loadSigningKeys(database, runtime.clock))
  runtime.snapshots.add({ settled: signingKeys.read })
  const provider = createLazy(async () => {
    const { createProvider } = await import('./adapters/openid-provider.ts')
    return createProvider(base, await signingKeys.read())
  })
  const dependencies: Dependencies = {
    ...base,
    readSigningKeys: signingKeys.read,
    readProvider: provider.read,
  }

  const app = createApp({
    name: 'token-issuer',
    title: 'Token issuer',
    version: '1.0.0',
    description: 'Signs users in and issues the Bearer tokens that the Credential Issuer accepts.',
    baseUrl: config.baseUrl,
    runtime,
    database,
    dependencies,
    routes,
    docsPath: '/swagger',
    metricsNamespace: config.metricNamespace,
    authentication: { apiKey: apiKeyAuthentication(config.apiKeys) },
    securitySchemes: { apiKey: { type: 'apiKey', in: 'header', name: 'x-api-key' } },
    before: [usePublicUrl(config.baseUrl)],
    unknownPage,
    after: [providerHandler(provider.read, providerRoutes)],
  })
  return {
    app,
    async close() {
      await signingKeys.settled()
      await database.destroy()
    },
  }
}
