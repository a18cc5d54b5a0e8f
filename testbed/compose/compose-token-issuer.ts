import type { Service } from '#kit/runtime.ts'
import { createTokenIssuerService } from '#services/token-issuer/create-token-issuer-service.ts'
import type { EnvironmentContext } from './environment-context.ts'
import { type LocalAccount, localAccountsOf } from './local-accounts.ts'
import { brokerAlias, brokerOf, portalOf } from './registered-clients.ts'

function toAccount({ organization, username, password }: LocalAccount) {
  const { organizationIdentifier, representative, authorizedPowers } = organization
  return {
    username,
    password,
    organizationIdentifier,
    organization: organization.organization,
    ...representative,
    power: authorizedPowers,
  }
}

/** The provider of the Bearer tokens that the issuer accepts; it brokers logins to the IDP. */
export async function composeTokenIssuer(context: EnvironmentContext): Promise<Service> {
  const { urls, localUrls, runtime } = context
  const portal = portalOf(context)
  const { clientId, clientSecret } = brokerOf(context)
  return createTokenIssuerService(
    {
      baseUrl: urls['token-issuer'],
      databaseUrl: context.databaseUrl('token-issuer'),
      audience: urls.issuer,
      cookieKeys: [context.secret('cookie/token-issuer')],
      apiKeys: [context.secret('api-key/token-issuer')],
      clients: [
        {
          clientId: portal.clientId,
          clientSecret: portal.clientSecret,
          redirectUris: [portal.redirectUri],
          postLogoutRedirectUris: [context.consoleUrl],
          name: 'Portal',
        },
      ],
      accounts: localAccountsOf(context).map(toAccount),
      brokers: [
        {
          alias: brokerAlias,
          issuerUrl: urls.idp,
          backchannelUrl: localUrls.idp,
          clientId,
          clientSecret,
        },
      ],
      ...context.settings['token-issuer'],
    },
    runtime,
  )
}
