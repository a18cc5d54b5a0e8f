import type { Service } from '#kit/runtime.ts'
import { createIdpService } from '#services/idp/create-idp-service.ts'
import { adminOf } from './admin-account.ts'
import type { EnvironmentContext } from './environment-context.ts'
import { mainCredentialTypeOf } from './main-credential-type.ts'
import { brokerOf, type RegisteredClient, relyingPartyOf } from './registered-clients.ts'

const toClient = ({ clientId, clientSecret, redirectUri }: RegisteredClient, name: string) => ({
  clientId,
  clientSecret,
  redirectUris: [redirectUri],
  name,
})

/** The provider whose password is a wallet; the token issuer is one of its clients. */
export function composeIdp(context: EnvironmentContext): Promise<Service> {
  const { urls, localUrls } = context
  return createIdpService(
    {
      baseUrl: urls.idp,
      databaseUrl: context.databaseUrl('idp'),
      oidCredential: mainCredentialTypeOf(context).vcType,
      verifierUrl: localUrls.verifier,
      verifierApiKey: context.secret('api-key/verifier'),
      apiKeys: [context.secret('api-key/idp')],
      cookieKeys: [context.secret('cookie/idp')],
      admin: adminOf(context),
      clients: [
        toClient(relyingPartyOf(context), 'Relying party'),
        toClient(brokerOf(context), 'Token issuer'),
      ],
      ...context.settings.idp,
    },
    context.runtime,
  )
}
