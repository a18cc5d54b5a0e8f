import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { exportJWK, generateKeyPair } from 'jose'
import { Provider } from 'oidc-provider'

export interface ForeignIdentityProvider {
  readonly issuer: string
  /** Who signs in next, with all claims; `undefined` refuses the login. */
  person: ({ readonly sub: string } & Readonly<Record<string, unknown>>) | undefined
  /** Makes the relying party known; before that the provider answers nothing. */
  register(redirectUris: readonly string[]): void
  stop(): Promise<void>
}

/**
 * An OpenID provider of somebody else's: oidc-provider as it comes, with a login that asks nothing.
 * It holds the relying party to the protocol: redirect URI, client secret, PKCE.
 */
export async function startForeignIdentityProvider(client: {
  readonly clientId: string
  readonly clientSecret: string
}): Promise<ForeignIdentityProvider> {
  const server = createServer()
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const { privateKey } = await generateKeyPair('RS256', { extractable: true })
  const people = new Map<string, Readonly<Record<string, unknown>>>()
  let provider: Provider | undefined
  const idp: ForeignIdentityProvider = {
    issuer,
    person: undefined,
    register(redirectUris) {
      provider = create(redirectUris)
    },
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
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
