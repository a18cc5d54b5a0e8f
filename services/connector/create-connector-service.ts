import type { z } from 'zod'
import { privateJwkFromHex } from '#core/crypto/jwk.ts'
import { createVerificationCache } from '#core/verification/verification-cache.ts'
import { apiKeyAuthentication } from '#kit/authentication.ts'
import { createApp } from '#kit/create-app.ts'
import { openDatabase } from '#kit/database.ts'
import type { AnyRoute } from '#kit/define-route.ts'
import type { Runtime, Service } from '#kit/runtime.ts'
import { createIssuanceStore } from './adapters/issuance-store.ts'
import { createIssuerClient } from './adapters/issuer-client.ts'
import { createNotificationOutbox } from './adapters/notification-outbox.ts'
import { credentialIssuerOf, zConnectorConfig } from './config.ts'
import type { Dependencies, PrepareCredential } from './dependencies.ts'
import { createOffer, type OfferOrder } from './operations/create-offer.ts'
import {
  accessTokenAuthentication,
  getOffer,
  postCredential,
  postDeferredCredential,
  postToken,
} from './routes/issuance.ts'
import { getIssuedCredential, postIssuedCredentialStatus } from './routes/issued-credentials.ts'
import { getCredentialSchema, getIssuerMetadata } from './routes/metadata.ts'
import { getCredentialOffer, postPreauthCode } from './routes/offer-orders.ts'
import { type ConnectorTables, migrations } from './tables.ts'

const walletRoutes = [
  getIssuerMetadata,
  getCredentialSchema,
  getOffer,
  postToken,
  postCredential,
  postDeferredCredential,
]
const issuerRoutes: readonly AnyRoute<Dependencies>[] = [
  postPreauthCode,
  getCredentialOffer,
  getIssuedCredential,
  postIssuedCredentialStatus,
]

interface PreparedOffer {
  readonly offerUri: string
  /** The PIN, if the offer requires one. */
  readonly pin?: string
}

/** An offer of a prepared credential, with the recipe for it. */
export type PreparedOfferOrder = OfferOrder & { readonly recipe: string }

export interface ConnectorService extends Service {
  /**
   * Creates an offer of a prepared credential, for the process that runs the service. The
   * credential is made from the recipe, without involving the issuer.
   */
  createPreparedOffer(order: PreparedOfferOrder): Promise<PreparedOffer>
}

/**
 * The connector: creates offers for issuers and issues credentials to wallets (profile/connector,
 * Endpoints for wallets; A-39 for the issuers' side).
 */
export async function createConnectorService(
  given: z.input<typeof zConnectorConfig>,
  runtime: Runtime,
  prepareCredential?: PrepareCredential,
): Promise<ConnectorService> {
  const config = zConnectorConfig.parse(given)
  const database = await openDatabase<ConnectorTables>({
    url: config.databaseUrl,
    service: 'connector',
    migrations,
    runtime,
  })
  const issuances = createIssuanceStore(database, runtime.clock, config.retentionSeconds)
  const issuer = createIssuerClient(config, runtime)
  const outbox = createNotificationOutbox(database, issuer, runtime, config)
  const dependencies: Dependencies = {
    config,
    runtime,
    issuances,
    issuer,
    outbox,
    signingKey: privateJwkFromHex(config.issuerPrivateKey),
    verificationCache: createVerificationCache(),
    prepareCredential,
  }
  const app = createApp<Dependencies>({
    name: 'connector',
    title: 'Connector',
    version: '1.0.0',
    description: `Issues credentials to wallets on behalf of an issuer. For wallets, the base address of the paths under "wallet" is ${credentialIssuerOf(config)}.`,
    baseUrl: config.baseUrl,
    runtime,
    database,
    dependencies,
    routes: [
      ...walletRoutes,
      ...issuerRoutes.map((route) => ({ ...route, path: `${config.apiPathPrefix}${route.path}` })),
    ],
    authentication: {
      apiKey: apiKeyAuthentication(config.apiKeys),
      accessToken: accessTokenAuthentication(issuances, runtime),
    },
    securitySchemes: {
      apiKey: { type: 'apiKey', in: 'header', name: 'x-api-key' },
      accessToken: { type: 'http', scheme: 'bearer' },
    },
    docsPath: '/swagger',
  })
  return {
    app,
    async createPreparedOffer(order) {
      const { offerUri, pin } = await createOffer(order, dependencies)
      return { offerUri, ...(pin === undefined ? {} : { pin }) }
    },
    async close() {
      await outbox.close()
      await database.destroy()
    },
  }
}
