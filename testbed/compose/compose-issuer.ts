import { zIssuerConfig } from '#services/issuer/config.ts'
import { createIssuerService, type IssuerService } from '#services/issuer/create-issuer-service.ts'
import type { EnvironmentContext } from './environment-context.ts'
import { mainCredentialTypeOf } from './main-credential-type.ts'

/** The Credential Issuer, with the connector as its Connector profile `default`. */
export function composeIssuer(context: EnvironmentContext): Promise<IssuerService> {
  const { keys, urls, localUrls, settings } = context
  const { credentialTypes, connectorProfiles = [] } = context.issuance
  const apiKey = context.secret('api-key/connector')
  const own = { name: 'default', url: localUrls.connector, apiKey }
  const isReplaced = connectorProfiles.some(({ name }) => name === own.name)
  const { vcType: issuedType } = mainCredentialTypeOf(context)
  const config = zIssuerConfig.parse({
    baseUrl: urls.issuer,
    walletEndpointsUrl: localUrls.connector,
    databaseUrl: context.databaseUrl('issuer'),
    // A key set of another token issuer: its iss and aud are checked where they are configured.
    ...(settings.issuer?.jwksUri === undefined && {
      jwksUri: `${localUrls['token-issuer']}/jwks`,
      bearerIssuer: urls['token-issuer'],
      bearerAudience: urls.issuer,
    }),
    apiKeys: [context.secret('api-key/issuer')],
    managementApiUrl: localUrls.management,
    ...(credentialTypes && { credentialTypes }),
    connectorProfiles: isReplaced ? connectorProfiles : [own, ...connectorProfiles],
    representativeVcType: issuedType,
    employeeVcType: issuedType,
    issuerDid: keys.issuer.did,
    issuerPrivateKey: keys.issuer.privateKey,
    issuerVMethodId: keys.issuer.vMethodId,
    smtpUrl: context.smtpUrl,
    ...settings.issuer,
  })
  return createIssuerService(config, context.runtime)
}
