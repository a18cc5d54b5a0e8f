import { type Configuration, errors, Provider } from 'oidc-provider'
import type { Log } from '../log.ts'
import { openidCookies } from './interactions.ts'
import { clientAuthMethods, reportProviderFailures } from './openid-routes.ts'
import type { RsaPrivateJwk } from './signing-keys.ts'

export interface JwtAccessTokenOptions {
  /** `aud` of the tokens, an absolute URI; also the resource that they are granted for. */
  readonly audience: string
  /** Seconds. */
  readonly lifetime: number
  /** Scopes that an access token may carry, separated by spaces. */
  readonly scope: string
}

/**
 * The part of oidc-provider's configuration that makes every access token a JWT signed with RS256
 * (RFC 9068). oidc-provider does so only for a resource server (RFC 8707), so there is a default
 * one. The grant needs `grant.addResourceScope(audience, scope)`.
 */
export function jwtAccessTokens(
  options: JwtAccessTokenOptions,
): NonNullable<NonNullable<Configuration['features']>['resourceIndicators']> {
  const { audience, lifetime, scope } = options
  return {
    enabled: true,
    defaultResource: () => audience,
    useGrantedResource: () => true,
    getResourceServerInfo(_context, resource) {
      if (resource !== audience) throw new errors.InvalidTarget()
      return {
        audience,
        scope,
        accessTokenTTL: lifetime,
        accessTokenFormat: 'jwt',
        jwt: { sign: { alg: 'RS256' } },
      }
    },
  }
}

export interface CommonConfigurationOptions {
  /** The provider's public address. */
  readonly baseUrl: string
  /** Secrets that sign the cookies, newest first. */
  readonly cookieKeys: readonly string[]
  /** The current key first. */
  readonly signingKeys: readonly RsaPrivateJwk[]
  readonly accessTokens: JwtAccessTokenOptions
}

/**
 * The configuration that our providers share, in agreement with {@link discoveryRoutes}: code flow,
 * only RS256, JWT access tokens, no userinfo endpoint of oidc-provider. Loads oidc-provider, which
 * takes long: import it only when the provider starts.
 */
export function commonConfiguration(options: CommonConfigurationOptions) {
  const { baseUrl, cookieKeys, signingKeys, accessTokens } = options
  return {
    jwks: { keys: signingKeys.map((key) => ({ ...key })) },
    cookies: openidCookies(baseUrl, cookieKeys),
    clientAuthMethods: [...clientAuthMethods],
    responseTypes: ['code'],
    clientDefaults: { id_token_signed_response_alg: 'RS256' },
    enabledJWA: { idTokenSigningAlgValues: ['RS256'] },
    // The id_token contains the claims itself (profile/idp, Claims).
    conformIdTokenClaims: false,
    // Clients have a secret; a code challenge is optional, but must be S256.
    pkce: { required: () => false },
    features: {
      devInteractions: { enabled: false },
      // It rejects JWT access tokens. A service with a userinfo endpoint serves it itself.
      userinfo: { enabled: false },
      // Not in the discovery document.
      dPoP: { enabled: false },
      pushedAuthorizationRequests: { enabled: false },
      resourceIndicators: jwtAccessTokens(accessTokens),
    },
  } satisfies Configuration
}

/** Creates a provider behind {@link usePublicUrl} that logs its failures. */
export function openProvider(baseUrl: string, configuration: Configuration, log: Log): Provider {
  const provider = new Provider(baseUrl, configuration)
  // The request has the public address: see usePublicUrl.
  provider.proxy = true
  const tokenPath = configuration.routes?.token
  provider.use((context, next) => {
    // Its router ignores a slash at the end.
    if (context.path.replace(/\/$/, '') !== tokenPath) return next()
    const { headers } = context.req
    // RFC 6749, 5.2: an error is JSON, also for a client that prefers HTML, as Java's does by default.
    headers.accept = 'application/json'
    // RFC 9110, 11.4: one or more spaces follow the scheme. oidc-provider expects one.
    if (headers.authorization) headers.authorization = headers.authorization.replace(/ +/, ' ')
    return next()
  })
  reportProviderFailures(provider, log)
  explainGrantErrors(provider)
  return provider
}

/** The same for every cause, so that it does not reveal which clients exist. */
const wrongClient =
  'check client_id and client_secret, and that the client is registered for the method used (client_secret_basic or client_secret_post)'

/**
 * Adds the reason to the errors of the token endpoint. oidc-provider keeps it to itself, so that
 * every mistake of a client looks the same to its developer.
 */
function explainGrantErrors(provider: Provider): void {
  provider.on('grant.error', ({ body }, error) => {
    const reason =
      error instanceof errors.InvalidClientAuth
        ? wrongClient
        : error instanceof errors.InvalidGrant
          ? error.error_detail
          : undefined
    if (reason === undefined || typeof body !== 'object' || body === null) return
    Object.assign(body, { error_description: `${error.error_description}: ${reason}` })
  })
}
