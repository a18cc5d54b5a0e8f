import type { EnvironmentContext } from './environment-context.ts'

/** A client of one of the OpenID providers. */
export interface RegisteredClient {
  readonly clientId: string
  readonly clientSecret: string
  readonly redirectUri: string
}

/** Name by which the token issuer knows the IDP, a part of its redirect address. */
export const brokerAlias = 'credential-idp'

/** The relying party that everybody may log in at, registered at the IDP. */
export function relyingPartyOf(context: EnvironmentContext): RegisteredClient {
  const { environment, consoleUrl } = context
  return {
    clientId: 'relying-party',
    clientSecret: context.secret('client/relying-party'),
    redirectUri: `${consoleUrl}/callback/${environment}/relying-party`,
  }
}

/** The organizations' portal, registered at the token issuer. */
export function portalOf(context: EnvironmentContext): RegisteredClient {
  const { environment, consoleUrl } = context
  return {
    clientId: 'portal',
    clientSecret: context.secret('client/portal'),
    redirectUri: `${consoleUrl}/callback/${environment}/portal`,
  }
}

/** The token issuer as a client of the IDP (document 1: the external provider's redirect URI). */
export function brokerOf(context: EnvironmentContext): RegisteredClient {
  return {
    clientId: 'token-issuer',
    clientSecret: context.secret('client/token-issuer'),
    redirectUri: `${context.urls['token-issuer']}/broker/${brokerAlias}/endpoint`,
  }
}
