import { type Configuration, Provider } from 'oidc-provider'
import { createOpenidAdapter } from '#kit/openid-provider/create-openid-adapter.ts'
import { jwtAccessTokens } from '#kit/openid-provider/jwt-access-tokens.ts'
import type { RsaPrivateJwk } from '#kit/openid-provider/load-signing-keys.ts'
import { openidCookies } from '#kit/openid-provider/openid-cookies.ts'
import type { Dependencies } from './dependencies.ts'
import { parseMapper } from './domain/parse-mapper.ts'
import { subjectOf } from './domain/subject-of.ts'
import { messagePage } from './pages/message-page.ts'
import { selectTexts } from './pages/texts/select-texts.ts'

/** Paths that oidc-provider answers (document 1, Credential IDP). */
export const providerRoutes = {
  authorization: '/accounts/authorize',
  token: '/accounts/token',
  jwks: '/accounts/jwks',
} as const

/** The scopes of the discovery document (document 1). */
export const supportedScopes = ['openid', 'profile', 'email', 'openid-vp-lear'] as const

const scope = supportedScopes.join(' ')

/**
 * The OpenID provider: code flow, RS256 alone, JWT access tokens. Every login asks for a credential
 * anew: a session that outlived it would also outlive its revocation. Relying parties are registered
 * beforehand, so nobody is asked for consent.
 *
 * @assumption A-32 A-33 A-42
 */
export function createProvider(
  dependencies: Omit<Dependencies, 'provider' | 'signingKeys'>,
  signingKeys: readonly RsaPrivateJwk[],
): Provider {
  const { config, database, runtime, logins, credentials, claimsFor, log } = dependencies
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
      grant_types: ['authorization_code', 'refresh_token'],
      response_types: ['code'],
      // oidc-provider takes the secret in the body from such a client as well.
      token_endpoint_auth_method: 'client_secret_basic',
    })),
    responseTypes: ['code'],
    clientDefaults: { id_token_signed_response_alg: 'RS256' },
    enabledJWA: { idTokenSigningAlgValues: ['RS256'] },
    allowOmittingSingleRegisteredRedirectUri: false,
    scopes: [...supportedScopes],
    claims: {
      openid: ['sub'],
      ...Object.fromEntries(
        Object.entries(config.scopeMappers).map(([name, mappers]) => [
          name,
          mappers.flatMap((text) => parseMapper(text)?.claim ?? []),
        ]),
      ),
    },
    // The id_token carries the claims itself (document 1, IDP id_token claims).
    conformIdTokenClaims: false,
    // Clients have a secret; a code challenge is welcome and, where sent, must be S256.
    pkce: { required: () => false },
    issueRefreshToken: () => true,
    // There is no session with which tokens could end.
    expiresWithSession: () => false,
    features: {
      devInteractions: { enabled: false },
      // Served before this provider, which refuses JWT access tokens there.
      userinfo: { enabled: false },
      rpInitiatedLogout: { enabled: false },
      resourceIndicators: jwtAccessTokens({
        audience: config.baseUrl,
        lifetime: config.accessTokenLifetime,
        scope,
      }),
    },
    ttl: {
      AccessToken: config.accessTokenLifetime,
      AuthorizationCode: 60,
      Grant: config.refreshTokenLifetime,
      IdToken: config.idTokenLifetime,
      Interaction: config.loginLifetime,
      RefreshToken: config.refreshTokenLifetime,
      Session: 60,
    },
    interactions: { url: (_context, interaction) => `/accounts/interaction/${interaction.uid}` },
    async findAccount(_context, id, token) {
      const grantId = token && 'grantId' in token ? token.grantId : undefined
      // Without a token it is the authorization endpoint, which gives no claims away.
      if (token === undefined) return { accountId: id, claims: () => ({ sub: id }) }
      const credential = grantId && (await credentials.find(grantId, id))
      if (!credential) return undefined
      return {
        accountId: id,
        claims: (_use, scopes) => ({ ...claimsFor(scopes.split(' '), credential), sub: id }),
      }
    },
    extraTokenClaims: (_context, token) =>
      'grantId' in token && token.grantId ? { grant_id: token.grantId } : undefined,
    async loadExistingGrant({ oidc }) {
      const { client, session, params, result } = oidc
      const accountId = session?.accountId
      const login = await logins.findByCode(String(result?.sessionCode ?? ''))
      if (!client || !accountId || login?.status !== 'SUCCESS' || !login.credential) {
        return undefined
      }
      if (subjectOf(JSON.parse(login.credential)) !== accountId) return undefined
      const grant = new oidc.provider.Grant({ accountId, clientId: client.clientId })
      const wanted = String(params?.scope ?? 'openid')
      grant.addOIDCScope(wanted)
      grant.addResourceScope(config.baseUrl, wanted)
      await credentials.keep(await grant.save(), accountId, login.credential)
      return grant
    },
    renderError(context, { error, error_description: description }) {
      const texts = selectTexts(context.get('accept-language'))
      const page = messagePage(texts, {
        title: texts.cannotGoOn,
        message: description ?? texts.serverError,
        hint: texts.startAgain,
        code: error,
      })
      context.set({ ...page.headers })
      context.type = page.contentType
      context.body = page.body
    },
  }
  const provider = new Provider(config.baseUrl, configuration)
  // The request says the public address: see usePublicUrl.
  provider.proxy = true
  provider.on('authorization.success', (context) => {
    // Neither kept nor sent as a cookie: the next login asks for a credential again.
    Object.assign(context.oidc.session ?? {}, { destroyed: true })
  })
  provider.on('server_error', (_context, error) => {
    log.error({ err: error }, 'the OpenID provider failed')
  })
  return provider
}
