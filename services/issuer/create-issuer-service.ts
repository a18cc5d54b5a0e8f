import type { z } from 'zod'
import { privateJwkFromHex } from '#core/crypto/jwk.ts'
import { apiKeyAuthentication, bearerAuthentication } from '#kit/authentication.ts'
import { createApp } from '#kit/create-app.ts'
import { createHttpClient } from '#kit/create-http-client.ts'
import { openDatabase } from '#kit/database.ts'
import type { Runtime, Service } from '#kit/runtime.ts'
import { createConnectorClient } from './adapters/connector-client.ts'
import { forwardToConnector } from './adapters/connector-proxy.ts'
import { createMailer } from './adapters/mail-client.ts'
import { createMailOutbox } from './adapters/mail-outbox.ts'
import { createManagementClient } from './adapters/management-client.ts'
import { createRecordStore } from './adapters/record-store.ts'
import { type IssuerConfig, zIssuerConfig } from './config.ts'
import type { Dependencies } from './dependencies.ts'
import { issuerErrorBody, issuerErrorCatalogue } from './errors.ts'
import { createStatusLists } from './operations/create-status-lists.ts'
import {
  type CustomOffer,
  type CustomOfferRequest,
  createCustomOffer,
} from './operations/custom-offer.ts'
import { sendOfferMail } from './operations/send-offer-mail.ts'
import { postClaims, postNotifications } from './routes/connector.ts'
import { getStatusList, postCredentialList, postCredentialRevoke } from './routes/credentials.ts'
import { postEmployee, postIdentifiers, postRepresentative } from './routes/issuance.ts'
import { type IssuerTables, migrations } from './tables.ts'

export interface IssuerService extends Service {
  /**
   * Creates a record and an offer with custom properties, for the process that runs the service.
   */
  createOffer(request: CustomOfferRequest): Promise<CustomOffer>
}

/**
 * The Credential Issuer (profile/issuer, Endpoints).
 *
 * @row 1.what-the-service-does.4..5 1.endpoints/credential-issuer.1..3
 */
export async function createIssuerService(
  given: z.input<typeof zIssuerConfig>,
  runtime: Runtime,
): Promise<IssuerService> {
  const config = zIssuerConfig.parse(given)
  const database = await openDatabase<IssuerTables>({
    url: config.databaseUrl,
    service: 'issuer',
    migrations,
    runtime,
  })
  const records = createRecordStore(database, runtime.clock)
  const signingKey = privateJwkFromHex(config.issuerPrivateKey)
  const connectors = new Map(
    config.connectorProfiles.map((profile) => [
      profile.name,
      createConnectorClient(profile, runtime),
    ]),
  )
  for (const { vcType, connectorProfile } of config.credentialTypes) {
    if (connectors.has(connectorProfile)) continue
    const detail = { service: 'issuer', vcType, connectorProfile }
    runtime.log.warn(detail, 'a credential type names a Connector profile that is not configured')
  }
  const mailer = createMailer(config, runtime)
  const mails = createMailOutbox(
    database,
    (mail, keepOffer) =>
      sendOfferMail(mail, keepOffer, { config, runtime, records, connectors, mailer }),
    runtime,
    config.mailRetryMilliseconds,
  )
  const dependencies: Dependencies = {
    config,
    runtime,
    records,
    readAuthorizedPowers: createManagementClient(config.managementApiUrl, runtime),
    connectors,
    mails,
    statusLists: createStatusLists(config, signingKey, records, runtime),
  }
  const { walletEndpointsUrl } = config
  const app = createApp<Dependencies>({
    name: 'issuer',
    title: 'Credential Issuer',
    version: '1.0.0',
    description: describe(config),
    baseUrl: config.baseUrl,
    runtime,
    database,
    dependencies,
    before:
      walletEndpointsUrl === undefined ? [] : [forwardToConnector(walletEndpointsUrl, runtime)],
    routes: [
      postRepresentative,
      postEmployee,
      postIdentifiers,
      postCredentialList,
      postCredentialRevoke,
      postNotifications,
      postClaims,
      getStatusList,
    ],
    authentication: {
      bearer: createBearerAuthentication(config, runtime),
      apiKey: apiKeyAuthentication(config.apiKeys),
    },
    securitySchemes: {
      bearer: { type: 'http', scheme: 'bearer', bearerFormat: 'JWT' },
      apiKey: { type: 'apiKey', in: 'header', name: 'x-api-key' },
    },
    errorBody: issuerErrorBody,
    errorCatalogue: issuerErrorCatalogue,
    docsPath: '/swagger',
    metricsNamespace: config.metricNamespace,
  })
  return {
    app,
    createOffer: (request) => createCustomOffer(request, dependencies),
    async close() {
      await mails.close()
      mailer.close()
      await database.destroy()
    },
  }
}

function describe({ walletEndpointsUrl }: IssuerConfig): string {
  const own = 'Issues, lists and revokes credentials of representatives and employees.'
  if (walletEndpointsUrl === undefined) return own
  return `${own} This address also serves the endpoints for wallets. The Connector documents them: ${walletEndpointsUrl}/swagger.`
}

function createBearerAuthentication(config: IssuerConfig, runtime: Runtime) {
  const { jwksUri, bearerIssuer, bearerAudience, clockToleranceSeconds, jwksCacheSeconds } = config
  const client = createHttpClient(runtime, {
    caller: 'issuer',
    dependency: 'token issuer',
    baseUrl: jwksUri,
  })
  return bearerAuthentication({
    jwksUri,
    client,
    clock: runtime.clock,
    snapshots: runtime.snapshots,
    clockToleranceSeconds,
    cacheSeconds: jwksCacheSeconds,
    ...(bearerIssuer === undefined ? {} : { issuer: bearerIssuer }),
    ...(bearerAudience === undefined ? {} : { audience: bearerAudience }),
  })
}
