import { type Configuration, Provider } from 'oidc-provider'
import { isTestbedError } from '#core/errors/testbed-error.ts'
import { languageOf } from '#kit/language.ts'
import { openidCookies } from '#kit/openid-provider/interactions.ts'
import { jwtAccessTokens } from '#kit/openid-provider/jwt-access-tokens.ts'
import { createOpenidAdapter } from '#kit/openid-provider/openid-adapter.ts'
import { clientAuthMethods } from '#kit/openid-provider/openid-routes.ts'
import { reportProviderFailures, sendPage } from '#kit/openid-provider/provider-handler.ts'
import type { RsaPrivateJwk } from '#kit/openid-provider/signing-keys.ts'
import type { Dependencies } from '../dependencies.ts'
import { claimsByScope, providerRoutes } from '../domain/provider-routes.ts'
import { errorPage, showLogout, showLogoutSuccess } from '../pages/pages.ts'
import { texts } from '../pages/texts.ts'

/**
 * The OpenID provider: code flow, only RS256, every access token a JWT that the Issuer accepts.
 * Portals belong to the operator and are registered in advance, so users are not asked for consent.
 */
export function createProvider(
  dependencies: Omit<Dependencies, 'readProvider' | 'readSigningKeys'>,
  signingKeys: readonly RsaPrivateJwk[],
): Provider {
  const { config, database, runtime, accounts, log } = dependencies
  const configuration: Configuration = {
    adapter: createOpenidAdapter(database, runtime.clock),
    jwks: { keys: signingKeys.map((key) => ({ ...key })) },
    cookies: openidCookies(config.baseUrl, config.cookieKeys),
    routes: providerRoutes,
    clients: config.clients.map((client) => ({
      client_id: client.clientId,
      client_secret: client.clientSecret,
      client_name: client.name ?? client.clientId,
      redirect_uris: [...client.redirectUris],
      post_logout_redirect_uris: [...client.postLogoutRedirectUris],
      grant_types: ['authorization_code'],
      response_types: ['code'],
      token_endpoint_auth_method: 'client_secret_basic',
    })),
    responseTypes: ['code'],
    clientDefaults: { id_token_signed_response_alg: 'RS256' },
    enabledJWA: { idTokenSigningAlgValues: ['RS256'] },
    clientAuthMethods: [...clientAuthMethods],
    scopes: Object.keys(claimsByScope),
    claims: claimsByScope,
    // The id_token contains the claims: there is no userinfo endpoint.
    conformIdTokenClaims: false,
    // Clients have a secret; a code challenge is optional, but must be S256.
    pkce: { required: () => false },
    features: {
      devInteractions: { enabled: false },
      userinfo: { enabled: false },
      // Not in the discovery document.
      dPoP: { enabled: false },
      pushedAuthorizationRequests: { enabled: false },
      rpInitiatedLogout: {
        enabled: true,
        logoutSource: showLogout,
        postLogoutSuccessSource: showLogoutSuccess,
      },
      resourceIndicators: jwtAccessTokens({
        audience: config.audience,
        lifetime: config.accessTokenLifetime,
        scope: Object.keys(claimsByScope).join(' '),
      }),
    },
    ttl: {
      AccessToken: config.accessTokenLifetime,
      AuthorizationCode: 60,
      Grant: 14 * 24 * 3600,
      IdToken: 3600,
      Interaction: 1800,
      Session: 8 * 3600,
    },
    interactions: { url: (_context, interaction) => `/login/${interaction.uid}` },
    async findAccount(_context, id) {
      const account = await accounts.find(id)
      if (account === undefined) return undefined
      return { accountId: id, claims: () => ({ ...account.claims, sub: id }) }
    },
    async extraTokenClaims(_context, token) {
      if (!('accountId' in token) || typeof token.accountId !== 'string') return undefined
      // Every mapped claim is part of the access token (profile/idp, Claims).
      return (await accounts.find(token.accountId))?.claims
    },
    async loadExistingGrant({ oidc }) {
      const { client, session, params } = oidc
      const accountId = session?.accountId
      if (client === undefined || accountId === undefined) return undefined
      const existing = session?.grantIdFor(client.clientId)
      const known = existing === undefined ? undefined : await oidc.provider.Grant.find(existing)
      const isOurs = known?.accountId === accountId && known.clientId === client.clientId
      const grant = isOurs
        ? known
        : new oidc.provider.Grant({ accountId, clientId: client.clientId })
      const wanted = String(params?.scope ?? 'openid')
      grant.addOIDCScope(wanted)
      grant.addResourceScope(config.audience, wanted)
      await grant.save()
      return grant
    },
    renderError(context, { error, error_description: description }, thrown) {
      const language = languageOf(context.req, context.oidc?.params?.ui_locales)
      const isLogout = context.path.startsWith(providerRoutes.end_session)
      const known = isTestbedError(thrown)
        ? { status: thrown.status, code: thrown.code, description: thrown.message }
        : { status: context.status, code: error, description }
      const title = isLogout && { title: texts[language].signOutFailed }
      sendPage(context, errorPage({ language, ...known, ...title }))
    },
  }
  const provider = new Provider(config.baseUrl, configuration)
  // The request has the public address: see usePublicUrl.
  provider.proxy = true
  reportProviderFailures(provider, log)
  return provider
}
