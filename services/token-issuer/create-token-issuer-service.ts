import type { z } from 'zod'
import { apiKeyAuthentication } from '#kit/authentication.ts'
import { createApp } from '#kit/create-app.ts'
import { createLoginLock, type LoginLockPolicy } from '#kit/create-login-lock.ts'
import { openDatabase } from '#kit/database.ts'
import { loadSigningKeys } from '#kit/openid-provider/load-signing-keys.ts'
import { postAsGet } from '#kit/openid-provider/post-as-get.ts'
import { providerHandler } from '#kit/openid-provider/provider-handler.ts'
import { usePublicUrl } from '#kit/openid-provider/use-public-url.ts'
import type { Runtime, Service } from '#kit/runtime.ts'
import { createAccountStore } from './adapters/create-account-store.ts'
import { createBroker } from './adapters/create-broker.ts'
import { createBrokerStore } from './adapters/create-broker-store.ts'
import { zTokenIssuerConfig } from './config.ts'
import { createProvider, providerRoutes } from './create-provider.ts'
import type { Dependencies } from './dependencies.ts'
import { migrations } from './migrations.ts'
import { completeBrokerLogin } from './routes/complete-broker-login.ts'
import { createBearerToken } from './routes/create-bearer-token.ts'
import { finishBrokerLogin } from './routes/finish-broker-login.ts'
import { discovery } from './routes/get-discovery.ts'
import { showLogin } from './routes/show-login.ts'
import { showStyle } from './routes/show-style.ts'
import { startBrokerLogin } from './routes/start-broker-login.ts'
import { submitLogin } from './routes/submit-login.ts'
import type { TokenIssuerTables } from './tables.ts'

const routes = [
  ...discovery,
  postAsGet<Dependencies>(providerRoutes.authorization),
  postAsGet<Dependencies>(providerRoutes.end_session),
  showStyle,
  showLogin,
  submitLogin,
  startBrokerLogin,
  finishBrokerLogin,
  completeBrokerLogin,
  createBearerToken,
]

/** The sign-in page asks for a minute's patience. */
const lockPolicy: LoginLockPolicy = {
  memory: 60,
  account: { free: 10, first: 60, longest: 60 },
  address: { free: 20, first: 60, longest: 60 },
}

/**
 * The token issuer: the OpenID provider of the organizations' portals, which mints the Bearer
 * tokens that the Issuer accepts. People sign in with a local account or, by the IDP as an external
 * provider, with their wallet (document 1, What the service does).
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
  // Not awaited: making the first key takes a moment, and requests wait for it where they need it.
  const signingKeys = loadSigningKeys(database, runtime.clock)
  runtime.snapshots.add({ settled: () => signingKeys })
  const provider = signingKeys.then((keys) => createProvider(base, keys))
  provider.catch((error) => log.fatal({ err: error }, 'the OpenID provider did not start'))
  const dependencies: Dependencies = { ...base, signingKeys, provider }

  const app = createApp({
    name: 'token-issuer',
    title: 'Token issuer',
    version: '1.0.0',
    description: 'Signs people in and mints the Bearer tokens that the Credential Issuer accepts.',
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
    after: [providerHandler(() => provider, Object.values(providerRoutes))],
  })
  return {
    app,
    async close() {
      await signingKeys.catch(() => {})
      await database.destroy()
    },
  }
}
