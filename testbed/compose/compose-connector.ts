import { createTermsOfUseUrl } from '#core/trust/tir-attribute.ts'
import { zConnectorConfig } from '#services/connector/config.ts'
import {
  type ConnectorService,
  createConnectorService,
} from '#services/connector/create-connector-service.ts'
import { prepareDefectiveCredential } from '../defects/prepare-defective-credential.ts'
import { type EnvironmentContext, tirBaseUrlOf } from './environment-context.ts'

/** The wallet-facing half of the credential issuer; it signs with the issuer's registered key. */
export function composeConnector(context: EnvironmentContext): Promise<ConnectorService> {
  const { issuer } = context.keys
  const { credentialTypes, holderSuites, cNonceLifetimeSeconds } = context.issuance
  const config = zConnectorConfig.parse({
    baseUrl: context.urls.connector,
    credentialIssuerUrl: context.urls.issuer,
    databaseUrl: context.databaseUrl('connector'),
    apiKeys: [context.secret('api-key/connector')],
    issuerUrl: context.localUrls.issuer,
    issuerApiKey: context.secret('api-key/issuer'),
    issuerDid: issuer.did,
    issuerPrivateKey: issuer.privateKey,
    issuerVMethodId: issuer.vMethodId,
    ...(credentialTypes && { credentialTypes }),
    ...(holderSuites && { holderSuites }),
    ...(cNonceLifetimeSeconds !== undefined && { cNonceLifetimeSeconds }),
    accreditationUrl: createTermsOfUseUrl(tirBaseUrlOf(context), issuer),
    ...context.settings.connector,
  })
  return createConnectorService(config, context.runtime, prepareDefectiveCredential(context))
}
