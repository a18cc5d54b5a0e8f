import { type Configuration, errors } from 'oidc-provider'

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
