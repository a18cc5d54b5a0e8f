import { createServer } from 'node:http'
import { exportJWK, generateKeyPair, type JWTPayload, SignJWT, UnsecuredJWT } from 'jose'
import { Provider } from 'oidc-provider'
import { closeServer, listenOn } from './servers.ts'

export interface ForeignIdentityProvider {
  readonly issuer: string
  /** The next user, with all claims; `undefined` rejects the login. */
  person: ({ readonly sub: string } & Readonly<Record<string, unknown>>) | undefined
  /** Registers the relying party; before that the provider does not answer. */
  register(redirectUris: readonly string[]): void
  stop(): Promise<void>
}

/**
 * A third-party OpenID provider: oidc-provider with its defaults and a login without questions. It
 * enforces the protocol on the relying party: redirect URI, client secret, PKCE.
 */
export async function startForeignIdentityProvider(client: {
  readonly clientId: string
  readonly clientSecret: string
}): Promise<ForeignIdentityProvider> {
  const server = createServer()
  const issuer = await listenOn(server)
  const { privateKey } = await generateKeyPair('RS256', { extractable: true })
  const people = new Map<string, Readonly<Record<string, unknown>>>()
  let provider: Provider | undefined
  const idp: ForeignIdentityProvider = {
    issuer,
    person: undefined,
    register(redirectUris) {
      provider = create(redirectUris)
    },
    stop: () => closeServer(server),
  }

  const jwk = { ...(await exportJWK(privateKey)), alg: 'RS256', use: 'sig' }
  const create = (redirectUris: readonly string[]) =>
    new Provider(issuer, {
      jwks: { keys: [jwk] },
      clients: [
        {
          client_id: client.clientId,
          client_secret: client.clientSecret,
          redirect_uris: [...redirectUris],
        },
      ],
      cookies: { keys: ['a key of the foreign provider'], names: { session: 'foreign_session' } },
      scopes: ['openid', 'profile', 'email', 'openid-vp-lear'],
      claims: {
        openid: ['sub'],
        'openid-vp-lear': [
          'email',
          'given_name',
          'family_name',
          'name',
          'preferred_username',
          'organization',
          'organization_identifier',
          'user_identifier',
          'power',
        ],
      },
      conformIdTokenClaims: false,
      pkce: { required: () => true },
      features: { devInteractions: { enabled: false } },
      interactions: { url: (_context, { uid }) => `/interaction/${uid}` },
      findAccount: (_context, id) => {
        const claims = people.get(id)
        return claims && { accountId: id, claims: () => ({ sub: id, ...claims }) }
      },
      async loadExistingGrant({ oidc }) {
        if (!oidc.client || !oidc.session?.accountId) return undefined
        const grant = new oidc.provider.Grant({
          clientId: oidc.client.clientId,
          accountId: oidc.session.accountId,
        })
        grant.addOIDCScope('openid profile email openid-vp-lear')
        await grant.save()
        return grant
      },
    })

  server.on('request', async (request, response) => {
    if (provider === undefined) return response.writeHead(503).end()
    if (!request.url?.startsWith('/interaction/')) return provider.callback()(request, response)
    const { person } = idp
    if (person !== undefined) people.set(person.sub, person)
    const result =
      person === undefined
        ? { error: 'access_denied', error_description: 'no' }
        : { login: { accountId: person.sub, remember: false } }
    await provider.interactionFinished(request, response, result)
  })
  return idp
}

export interface HostileIdentityProvider {
  readonly issuer: string
  /** Changes the claims of the id_token, which are valid at first. */
  changeClaims(change: (claims: JWTPayload) => Readonly<Record<string, unknown>>): void
  /** `other-key`: a key that is not in the key set, under a kid that is. */
  signature: 'right' | 'other-key' | 'none' | 'HS256'
  stop(): Promise<void>
}

/** An identity provider that accepts every code, with an id_token that can have one error. */
export async function startHostileIdentityProvider(client: {
  readonly clientId: string
  readonly clientSecret: string
}): Promise<HostileIdentityProvider> {
  const [right, other] = await Promise.all([generateKeyPair('RS256'), generateKeyPair('RS256')])
  let change = (claims: JWTPayload) => claims
  let nonce = ''

  const sign = (claims: JWTPayload) => {
    if (idp.signature === 'none') return new UnsecuredJWT(claims).encode()
    const jwt = new SignJWT(claims)
    if (idp.signature === 'HS256') {
      const secret = new TextEncoder().encode(client.clientSecret.padEnd(32, '-'))
      return jwt.setProtectedHeader({ alg: 'HS256', kid: 'k' }).sign(secret)
    }
    const { privateKey } = idp.signature === 'right' ? right : other
    return jwt.setProtectedHeader({ alg: 'RS256', kid: 'k' }).sign(privateKey)
  }

  const server = createServer(async (request, response) => {
    const url = new URL(request.url ?? '/', idp.issuer)
    const json = (body: unknown) =>
      response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(body))
    if (url.pathname === '/.well-known/openid-configuration') {
      return json({
        issuer: idp.issuer,
        authorization_endpoint: `${idp.issuer}/authorize`,
        token_endpoint: `${idp.issuer}/token`,
        jwks_uri: `${idp.issuer}/jwks`,
        response_types_supported: ['code'],
        id_token_signing_alg_values_supported: ['RS256'],
      })
    }
    if (url.pathname === '/jwks') {
      return json({ keys: [{ ...(await exportJWK(right.publicKey)), kid: 'k', alg: 'RS256' }] })
    }
    if (url.pathname === '/authorize') {
      nonce = url.searchParams.get('nonce') ?? ''
      const back = new URL(url.searchParams.get('redirect_uri') ?? '')
      back.searchParams.set('code', 'a-code')
      back.searchParams.set('state', url.searchParams.get('state') ?? '')
      return response.writeHead(302, { location: back.href }).end()
    }
    const now = Math.floor(Date.now() / 1000)
    const claims = change({
      iss: idp.issuer,
      aud: client.clientId,
      sub: 'person-1',
      nonce,
      iat: now,
      exp: now + 300,
      organization_identifier: 'VATES-B00000000',
    })
    json({ access_token: 'opaque', token_type: 'Bearer', id_token: await sign(claims) })
  })
  const issuer = await listenOn(server)
  const idp: HostileIdentityProvider = {
    issuer,
    signature: 'right',
    changeClaims(next) {
      change = next
    },
    stop: () => closeServer(server),
  }
  return idp
}
