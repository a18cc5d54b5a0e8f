import { zIssuerConfig } from '#services/issuer/config.ts'
import { createIssuerService, type IssuerService } from '#services/issuer/create-issuer-service.ts'
import type { EnvironmentContext } from './environment-context.ts'

/** The Credential Issuer, with the connector as its one Connector profile. */
export function composeIssuer(context: EnvironmentContext): Promise<IssuerService> {
  const { keys, urls } = context
  const config = zIssuerConfig.parse({
    baseUrl: urls.issuer,
    databaseUrl: context.databaseUrl('issuer'),
    jwksUri: `${urls['token-issuer']}/jwks`,
    bearerIssuer: urls['token-issuer'],
    apiKeys: [context.secret('api-key/issuer')],
    managementApiUrl: urls.management,
    connectorProfiles: [
      { name: 'default', url: urls.connector, apiKey: context.secret('api-key/connector') },
    ],
    issuerDid: keys.issuer.did,
    issuerPrivateKey: keys.issuer.privateKey,
    issuerVMethodId: keys.issuer.vMethodId,
    smtpUrl: context.smtpUrl,
  })
  return createIssuerService(config, context.runtime)
}
