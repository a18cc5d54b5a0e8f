import type { Configuration, Provider } from 'oidc-provider'
import { isTestbedError } from '#core/errors/testbed-error.ts'
import { languageOf } from '#kit/language.ts'
import { commonConfiguration, openProvider } from '#kit/openid-provider/open-provider.ts'
import { createOpenidAdapter } from '#kit/openid-provider/openid-adapter.ts'
import { sendPage } from '#kit/openid-provider/openid-routes.ts'
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
  const common = commonConfiguration({
    baseUrl: config.baseUrl,
    cookieKeys: config.cookieKeys,
    signingKeys,
    accessTokens: {
      audience: config.audience,
      lifetime: config.accessTokenLifetime,
      scope: Object.keys(claimsByScope).join(' '),
    },
  })
  const configuration: Configuration = {
    ...common,
    adapter: createOpenidAdapter(database, runtime.clock),
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
    scopes: Object.keys(claimsByScope),
    claims: claimsByScope,
    features: {
      ...common.features,
      rpInitiatedLogout: {
        enabled: true,
        logoutSource: showLogout,
        postLogoutSuccessSource: showLogoutSuccess,
      },
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
  return openProvider(config.baseUrl, configuration, log)
}
