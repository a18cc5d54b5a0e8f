import { createHash, randomBytes } from 'node:crypto'
import type { KitServer, ServedAnswer, ServedRequest } from '../../world/start-kit-server.ts'
import { createProviderKey, type ProviderKey, signJwt, type TokenChanges } from './id-tokens.ts'
import type { RelyingPartyTarget } from './z-target.ts'

type Members = Readonly<Record<string, unknown>>

/** The user of one login. These values cannot be guessed. */
export type User = Readonly<Record<'sub' | 'name' | 'email' | 'family_name', string>>

/** Parameters of the redirect to the application; undefined removes one, a list repeats it. */
export type CallbackParameters = Readonly<Record<string, string | readonly string[] | undefined>>

/** What the provider does differently in one login. By default all answers are valid. */
export interface Script {
  /** Members of its user. */
  readonly user?: Partial<User>
  readonly callback?: (parameters: CallbackParameters, login: ProvidedLogin) => CallbackParameters
  readonly idToken?: (login: ProvidedLogin) => TokenChanges
  /** @param body of the valid answer */
  readonly token?: (body: Members, login: ProvidedLogin) => ServedAnswer
  /** @param claims of the valid answer */
  readonly userinfo?: (claims: Members, login: ProvidedLogin) => ServedAnswer
}

/** A login at the provider, and what the application sent for it. */
export interface ProvidedLogin {
  /** The parameters of the authorization request. */
  readonly request: URLSearchParams
  readonly script: Script
  readonly user: User
  readonly code: string
  readonly accessToken: string
  readonly tokenRequests: ServedRequest[]
  readonly userinfoRequests: ServedRequest[]
  /** The last token response, before the script replaced it. */
  tokens?: Members
}

/** The OpenID provider that the kit plays. */
export interface Provider {
  readonly issuer: string
  readonly authorizationEndpoint: string
  /** The key that signs ID tokens. */
  readonly key: ProviderKey
  /** A key that is not published, and pretends to be the provider's. */
  readonly otherKey: ProviderKey
  /** Requests to the token endpoint with a code that was never issued. */
  readonly strayRequests: ServedRequest[]
  /** How often the keys were read, and when, in milliseconds since the start of the process. */
  readonly keyReads: { count: number; last: number }
  /** A valid ID token, apart from these changes. */
  signIdToken(login: ProvidedLogin, changes?: TokenChanges): string
  /** Publishes a further key. */
  addKey(): Promise<ProviderKey>
  /** Logs a user in. */
  authorize(request: URLSearchParams, script?: Script): ProvidedLogin
  /** The parameters of the redirect that ends a login. */
  callbackOf(login: ProvidedLogin): CallbackParameters
}

const random = (bytes = 16) => randomBytes(bytes).toString('base64url')

/** Letters, which no page writes in another way. */
const randomWord = (length: number) =>
  Array.from(randomBytes(length), (byte) => String.fromCharCode(97 + (byte % 26))).join('')

export function createUser(): User {
  const word = randomWord(12)
  const family_name = word.charAt(0).toUpperCase() + word.slice(1)
  const email = `${randomWord(12)}@example.org`
  return { sub: randomWord(20), name: `Kim ${family_name}`, family_name, email }
}

/** The claims of a user, as the profile describes them: `power` is a string. */
const claimsOf = (user: User): Members => ({
  ...user,
  given_name: 'Kim',
  preferred_username: user.email,
  organization: 'Example Ltd',
  organization_identifier: 'VATES-A12345678',
  user_identifier: user.sub,
  power: JSON.stringify([
    { type: 'domain', domain: 'DOME', function: 'Onboarding', action: ['execute'] },
  ]),
})

export const json = (body: unknown, status = 200): Exclude<ServedAnswer, string> => ({
  status,
  headers: { 'cache-control': 'no-store' },
  body: JSON.stringify(body),
})

/** An application may rely on PKCE to reject the redirect of another browser (RFC 9700, 4.7.1). */
function provesChallenge(request: URLSearchParams, { body }: ServedRequest): boolean {
  const challenge = request.get('code_challenge')
  const verifier = new URLSearchParams(body).get('code_verifier') ?? ''
  const hashed = createHash('sha256').update(verifier).digest('base64url')
  return challenge === null || [verifier, hashed].includes(challenge)
}

/** Serves the provider below `/op`, so that its address is the same in every run. */
export async function serveProvider(
  server: KitServer,
  { client }: Pick<RelyingPartyTarget, 'client'>,
  now: () => number,
): Promise<Provider> {
  const issuer = `${server.origin}/op`
  const [key, otherKey] = await Promise.all([createProviderKey(), createProviderKey()])
  const published = [key]
  const logins: ProvidedLogin[] = []
  const strayRequests: ServedRequest[] = []
  const keyReads = { count: 0, last: 0 }

  const metadata = {
    issuer,
    authorization_endpoint: `${issuer}/authorize`,
    token_endpoint: `${issuer}/token`,
    userinfo_endpoint: `${issuer}/userinfo`,
    jwks_uri: `${issuer}/jwks`,
    scopes_supported: ['openid', 'profile', 'email', 'openid-vp-lear'],
    response_types_supported: ['code'],
    response_modes_supported: ['query', 'form_post'],
    grant_types_supported: ['authorization_code'],
    subject_types_supported: ['public'],
    id_token_signing_alg_values_supported: ['RS256'],
    token_endpoint_auth_methods_supported: ['client_secret_basic', 'client_secret_post'],
    code_challenge_methods_supported: ['S256'],
    authorization_response_iss_parameter_supported: true,
  }

  const signIdToken: Provider['signIdToken'] = ({ request, user }, changes) => {
    const nonce = request.get('nonce')
    const claims = {
      iss: issuer,
      aud: client.clientId,
      exp: now() + 300,
      iat: now(),
      ...(nonce !== null && { nonce }),
      ...(request.has('max_age') && { auth_time: now() }),
      ...claimsOf(user),
    }
    return signJwt(claims, key, changes)
  }

  const redeem = (request: ServedRequest): ServedAnswer => {
    const form = new URLSearchParams(request.body)
    const login = logins.find((each) => each.code === form.get('code'))
    if (login === undefined) {
      if (form.get('grant_type') !== 'refresh_token') strayRequests.push(request)
      return json({ error: 'invalid_grant' }, 400)
    }
    login.tokenRequests.push(request)
    if (!provesChallenge(login.request, request)) {
      const error_description = 'code_verifier does not match code_challenge'
      return json({ error: 'invalid_grant', error_description }, 400)
    }
    const { script, accessToken } = login
    const changes: TokenChanges = script.idToken?.(login) ?? {}
    const token = signIdToken(login, changes)
    const body = {
      access_token: accessToken,
      refresh_token: random(24),
      token_type: 'Bearer',
      expires_in: 300,
      scope: login.request.get('scope') ?? 'openid',
      id_token: changes.change ? changes.change(token) : token,
    }
    login.tokens = body
    return script.token?.(body, login) ?? json(body)
  }

  const showUser = (request: ServedRequest): ServedAnswer => {
    const { headers, query, body } = request
    const sent = headers.authorization ?? `${query} ${body}`
    const login = logins.find(({ accessToken }) => sent.includes(accessToken))
    if (login === undefined) return json({ error: 'invalid_token' }, 401)
    login.userinfoRequests.push(request)
    const claims = claimsOf(login.user)
    return login.script.userinfo?.(claims, login) ?? json(claims)
  }

  server.mount('/op', 'OpenID provider', (request) => {
    switch (request.path) {
      case '/.well-known/openid-configuration':
        return json(metadata)
      case '/jwks':
        keyReads.count += 1
        keyReads.last = performance.now()
        return json({ keys: published.map(({ publicJwk }) => publicJwk) })
      case '/token':
        return redeem(request)
      case '/userinfo':
        return showUser(request)
      default:
        return json({ error: 'not_found' }, 404)
    }
  })

  return {
    issuer,
    authorizationEndpoint: metadata.authorization_endpoint,
    key,
    otherKey,
    strayRequests,
    keyReads,
    signIdToken,
    async addKey() {
      const added = await createProviderKey()
      published.push(added)
      return added
    },
    authorize(request, script = {}) {
      const login: ProvidedLogin = {
        request,
        script,
        user: { ...createUser(), ...script.user },
        code: random(),
        accessToken: signJwt(
          { iss: issuer, aud: issuer, client_id: client.clientId, jti: random() },
          key,
          { header: { typ: 'at+jwt' } },
        ),
        tokenRequests: [],
        userinfoRequests: [],
      }
      logins.push(login)
      return login
    },
    callbackOf(login) {
      const state = login.request.get('state') ?? undefined
      const parameters = { code: login.code, state, iss: issuer }
      return login.script.callback?.(parameters, login) ?? parameters
    },
  }
}
