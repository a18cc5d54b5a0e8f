import {
  type Adapter,
  type Configuration,
  errors,
  type Grant,
  type KoaContextWithOIDC,
  Provider,
} from 'oidc-provider'
import { isTestbedError } from '#core/errors/testbed-error.ts'
import { commonConfiguration, openProvider } from '#kit/openid-provider/open-provider.ts'
import { createOpenidAdapter } from '#kit/openid-provider/openid-adapter.ts'
import type { RsaPrivateJwk } from '#kit/openid-provider/signing-keys.ts'
import { digest, secretsEqual } from '#kit/secrets.ts'
import type { Dependencies } from '../dependencies.ts'
import { subjectOf } from '../domain/login.ts'
import { providerRoutes, supportedScopes } from '../domain/provider-routes.ts'
import { renderProviderError } from '../pages/page.ts'
import type { ClientStore } from './client-store.ts'
import type { CurrentProvider, MappersByScope } from './provider-source.ts'

const scope = supportedScopes.join(' ')

export type ProviderDependencies = Pick<
  Dependencies,
  'config' | 'database' | 'runtime' | 'logins' | 'credentials' | 'clients' | 'verifier' | 'log'
>

/**
 * The OpenID provider: code flow, only RS256, JWT access tokens. Every login requires a new
 * presentation, since a session could outlive the revocation of its credential. Relying parties are
 * registered in advance, so users are not asked for consent.
 *
 * @assumption A-32 A-33 A-42
 */
export function createProvider(
  dependencies: ProviderDependencies,
  signingKeys: readonly RsaPrivateJwk[],
  mappers: MappersByScope,
  claimsFor: CurrentProvider['claimsFor'],
): Provider {
  const { config, database, runtime, credentials, clients, log } = dependencies
  const artifacts = createOpenidAdapter(database, runtime.clock)
  const common = commonConfiguration({
    baseUrl: config.baseUrl,
    cookieKeys: config.cookieKeys,
    signingKeys,
    accessTokens: { audience: config.baseUrl, lifetime: config.accessTokenLifetime, scope },
  })
  const configuration: Configuration = {
    ...common,
    adapter: (model) => (model === 'Client' ? clientAdapter(clients) : artifacts(model)),
    routes: providerRoutes,
    extraClientMetadata: { properties: [...extraClientMetadata] },
    allowOmittingSingleRegisteredRedirectUri: false,
    scopes: [...supportedScopes],
    extraParams: {
      // OAuth lets a request omit it, and so does oidc-provider without a nonce. The profile
      // requires it, and an id_token in each answer.
      scope(_context, value) {
        if (!value) throw new errors.InvalidRequest("missing required parameter 'scope'")
        if (!value.split(' ').includes('openid')) {
          throw new errors.InvalidScope('scope must contain openid', value)
        }
      },
    },
    claims: {
      openid: ['sub'],
      ...Object.fromEntries(
        [...mappers].map(([name, each]) => [name, each.map(({ claim }) => claim)]),
      ),
    },
    issueRefreshToken: () => true,
    // There is no session that tokens could expire with.
    expiresWithSession: () => false,
    features: { ...common.features, rpInitiatedLogout: { enabled: false } },
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
    async findAccount({ oidc }, id, token) {
      if (token?.kind === 'AuthorizationCode' && !isRegisteredUri(oidc)) {
        throw new errors.InvalidGrant('redirect_uri is no longer registered')
      }
      const grantId = token && 'grantId' in token ? token.grantId : undefined
      // Without a token it is the authorization endpoint, which does not return claims.
      if (token === undefined) return { accountId: id, claims: () => ({ sub: id }) }
      const credential = grantId && (await credentials.find(grantId, id))
      if (!credential) return undefined
      // A used token is rejected anyway, and must end its grant regardless of the status.
      if (token.kind === 'RefreshToken' && !('consumed' in token && token.consumed)) {
        await requireGoodStanding(credential, dependencies)
      }
      return {
        accountId: id,
        claims: (_use, scopes) => ({ ...claimsFor(scopes.split(' '), credential), sub: id }),
      }
    },
    extraTokenClaims: (_context, token) =>
      'grantId' in token && token.grantId ? { grant_id: token.grantId } : undefined,
    loadExistingGrant: (context) => grantLogin(context, dependencies),
    renderError: renderProviderError,
  }
  const provider = openProvider(config.baseUrl, configuration, log)
  authenticateClients(provider)
  provider.on('authorization.success', (context) => {
    // Neither stored nor sent as a cookie: the next login requires a presentation again.
    Object.assign(context.oidc.session ?? {}, { destroyed: true })
  })
  return provider
}

/**
 * Creates the grant of a login for its relying party: the requested scopes, without consent, and
 * the claims of the presented credential. Undefined if the login of this request has not succeeded.
 */
async function grantLogin(
  { oidc }: KoaContextWithOIDC,
  { config, logins, credentials }: ProviderDependencies,
): Promise<Grant | undefined> {
  const { client, session, params, result } = oidc
  if (!isRegisteredUri(oidc)) throw new errors.InvalidRedirectUri()
  const accountId = session?.accountId
  const login = await logins.findByCode(String(result?.sessionCode ?? ''))
  if (!client || !accountId || login?.status !== 'SUCCESS' || !login.credential) return undefined
  if (subjectOf(JSON.parse(login.credential)) !== accountId) return undefined
  const grant = new oidc.provider.Grant({ accountId, clientId: client.clientId })
  const wanted = String(params?.scope)
  grant.addOIDCScope(wanted)
  grant.addResourceScope(config.baseUrl, wanted)
  await credentials.keep(await grant.save(), accountId, login.credential)
  return grant
}

/**
 * Whether the redirect_uri of a request is among those of its client. oidc-provider compares them
 * only when a login begins, and an administrator may remove one meanwhile.
 *
 * @row 1.errors.8
 */
const isRegisteredUri = ({ client, params }: KoaContextWithOIDC['oidc']): boolean =>
  client?.redirectUriAllowed(String(params?.redirect_uri)) ?? false

/**
 * Rejects the renewal of a login whose credential was revoked or has expired (RFC 6749, 5.2:
 * `invalid_grant`). If the verification service cannot determine that, the response is 503 and the
 * refresh token stays valid, since oidc-provider consumes it only afterwards.
 *
 * @assumption A-55
 */
async function requireGoodStanding(
  credential: unknown,
  { verifier, log }: ProviderDependencies,
): Promise<void> {
  const status = await verifier.readCredentialStatus(credential).catch((error) => {
    if (!isTestbedError(error)) throw error
    log.warn({ detail: error.detail }, 'a login was not renewed: the status is unknown')
    const message = 'The status of the credential cannot be determined. Try again later.'
    throw Object.assign(
      new errors.CustomOIDCProviderError('temporarily_unavailable', message, { cause: error }),
      { status: 503, statusCode: 503 },
    )
  })
  if (status === 'valid') return
  const happened = status === 'revoked' ? 'was revoked' : 'has expired'
  throw new errors.CustomOIDCProviderError(
    'invalid_grant',
    `The credential of this login ${happened}.`,
  )
}

/** Members of a client's metadata that are unknown to oidc-provider. */
const extraClientMetadata = ['accepted_authentication'] as const

/** The read-only client store for oidc-provider, which reads it on every request. */
function clientAdapter(clients: ClientStore): Adapter {
  const refuse = () =>
    Promise.reject(new TypeError('clients can only be changed in the admin panel'))
  return {
    async find(id) {
      const client = await clients.find(id)
      if (client === undefined) return undefined
      return {
        client_id: client.clientId,
        // Compared with the digest of the request's secret: see authenticateClients.
        client_secret: client.secretDigest,
        client_name: client.name,
        redirect_uris: [...client.redirectUris],
        grant_types: ['authorization_code', 'refresh_token'],
        response_types: ['code'],
        token_endpoint_auth_method: 'client_secret_basic',
        accepted_authentication: client.authentication,
      }
    },
    upsert: refuse,
    findByUserCode: refuse,
    findByUid: refuse,
    consume: refuse,
    destroy: refuse,
    revokeByGrantId: refuse,
  }
}

/**
 * Makes a provider compare secrets by their digest, since only that is stored, and accept only the
 * authentication method that the client is registered for (profile/idp, Token: Basic
 * or in the body). Always makes both comparisons, to take the same time.
 */
function authenticateClients(provider: Provider): void {
  provider.Client.prototype.compareClientSecret = function compareDigests(given) {
    const isRight = secretsEqual(digest(given), this.clientSecret ?? '')
    const isInBody = typeof Provider.ctx?.oidc.params?.client_secret === 'string'
    const used = isInBody ? 'client_secret_post' : 'client_secret_basic'
    const accepted = this.accepted_authentication
    return isRight && (accepted === 'either' || accepted === used)
  }
}
