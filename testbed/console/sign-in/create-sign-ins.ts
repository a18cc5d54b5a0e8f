import * as openid from 'openid-client'
import { createHttpClient } from '#kit/create-http-client.ts'
import type { Runtime } from '#kit/runtime.ts'
import { digest } from '#kit/secrets.ts'
import {
  afterPortalLogoutOf,
  type EnvironmentContext,
  portalOf,
  type RegisteredClient,
  relyingPartyOf,
} from '#testbed/services/environment-context.ts'
import type { RunningEnvironment } from '#testbed/services/start-environment.ts'

/** The clients of the OpenID providers that the console demonstrates. */
export const demoClients = ['relying-party', 'portal'] as const
export type DemoClient = (typeof demoClients)[number]

interface ClientDescription {
  registered(context: EnvironmentContext): RegisteredClient
  readonly provider: 'idp' | 'token-issuer'
  readonly scope: string
}

const descriptions: Readonly<Record<DemoClient, ClientDescription>> = {
  'relying-party': {
    registered: relyingPartyOf,
    provider: 'idp',
    scope: 'openid profile email openid-vp-lear',
  },
  portal: {
    registered: portalOf,
    provider: 'token-issuer',
    scope: 'openid profile email organization',
  },
}

/** A client of an environment in one browser. */
export interface Visitor {
  readonly client: DemoClient
  readonly running: RunningEnvironment
  /** The session of the console. */
  readonly session: string
}

/** A completed sign-in. Its tokens stay on the server. */
export interface SignedIn {
  readonly outcome: 'signed-in'
  /** Of the ID token, whose signature, issuer, audience, times and nonce were verified. */
  readonly claims: Readonly<Record<string, unknown>>
  readonly idToken: string
  readonly accessToken: string
  /** Of the access token, Unix seconds. */
  readonly expiresAt: number
  /** Where the browser ends the provider's session; undefined if the provider keeps none. */
  readonly endSessionUrl: string | undefined
}

/** A login that failed. */
export interface FailedSignIn {
  readonly outcome: 'failed'
  /** The error of the provider or of the client's own checks, such as `access_denied`. */
  readonly code: string
  readonly description: string
  /** The `state` of the request; undefined if there was no request. */
  readonly state: string | undefined
}

export interface BeginOptions {
  /** User name for the login page. */
  readonly loginHint?: string | undefined
  /** BCP 47. */
  readonly language: string
}

/** The sign-ins of the browsers that the console is open in. */
export interface SignIns {
  /**
   * Starts a login; returns the address for the browser. The visitor keeps the result of the last
   * one until this one is complete. Undefined if the provider is unavailable: then the result of
   * the visitor is a failure.
   */
  begin(visitor: Visitor, options: BeginOptions): Promise<string | undefined>
  /** Whether any browser of the console started a login with this `state`. */
  knows(state: string): boolean
  /**
   * Completes the login if the visitor started it. Otherwise it returns false and leaves the code
   * unused.
   * @param search the query of the redirect, with its leading `?`
   */
  finish(visitor: Visitor, state: string, search: string): Promise<boolean>
  /** The result of the visitor's last complete sign-in. */
  read(visitor: Visitor): SignedIn | FailedSignIn | undefined
  /** Signs out, or dismisses a failure; returns what it was. */
  forget(visitor: Visitor): SignedIn | FailedSignIn | undefined
}

interface PendingSignIn {
  readonly key: string
  readonly configuration: openid.Configuration
  readonly nonce: string
  readonly codeVerifier: string
}

const mostPending = 200
const mostResults = 200

/** Drops the oldest entries of a map above its limit. */
function limit(map: Map<string, unknown>, most: number): void {
  for (const oldest of map.keys()) {
    if (map.size <= most) return
    map.delete(oldest)
  }
}

const keyOf = ({ client, running, session }: Visitor): string =>
  `${digest(session)} ${running.environment} ${client}`

/**
 * The demo clients as relying parties: authorization code flow with PKCE, state and nonce. Results
 * are kept in memory.
 */
export function createSignIns(runtime: Runtime): SignIns {
  const pending = new Map<string, PendingSignIn>()
  const results = new Map<string, SignedIn | FailedSignIn>()
  const keep = (key: string, result: SignedIn | FailedSignIn) => {
    results.delete(key)
    results.set(key, result)
    limit(results, mostResults)
  }

  return {
    async begin(visitor, { loginHint, language }) {
      const { client, running } = visitor
      const { registered, scope } = descriptions[client]
      const key = keyOf(visitor)
      try {
        const configuration = await discover(runtime, client, running.context)
        const state = openid.randomState()
        const nonce = openid.randomNonce()
        const codeVerifier = openid.randomPKCECodeVerifier()
        const { href } = openid.buildAuthorizationUrl(configuration, {
          redirect_uri: registered(running.context).redirectUri,
          scope,
          state,
          nonce,
          code_challenge: await openid.calculatePKCECodeChallenge(codeVerifier),
          code_challenge_method: 'S256',
          ui_locales: language,
          // At a demo, the next person logs in after the last one.
          prompt: 'login',
          ...(loginHint !== undefined && { login_hint: loginHint }),
        })
        pending.set(state, { key, configuration, nonce, codeVerifier })
        limit(pending, mostPending)
        return href
      } catch (error) {
        keep(key, failureOf(error, undefined))
        return undefined
      }
    },

    knows: (state) => pending.has(state),

    async finish(visitor, state, search) {
      const { client, running } = visitor
      const login = pending.get(state)
      if (login === undefined || login.key !== keyOf(visitor)) return false
      pending.delete(state)
      const { configuration, nonce, codeVerifier } = login
      const { redirectUri } = descriptions[client].registered(running.context)
      try {
        const tokens = await openid.authorizationCodeGrant(
          configuration,
          new URL(`${redirectUri}${search}`),
          {
            expectedState: state,
            expectedNonce: nonce,
            pkceCodeVerifier: codeVerifier,
            idTokenExpected: true,
          },
        )
        const idToken = tokens.id_token ?? ''
        keep(login.key, {
          outcome: 'signed-in',
          claims: tokens.claims() ?? {},
          idToken,
          accessToken: tokens.access_token,
          expiresAt: runtime.clock.seconds() + (tokens.expiresIn() ?? 0),
          endSessionUrl: endSessionUrlOf(configuration, idToken, running.context),
        })
      } catch (error) {
        keep(login.key, failureOf(error, state))
      }
      return true
    },

    read: (visitor) => results.get(keyOf(visitor)),

    forget(visitor) {
      const result = results.get(keyOf(visitor))
      results.delete(keyOf(visitor))
      return result
    },
  }
}

/**
 * Reads the metadata of a client's provider. Every login does, so that it uses the provider's
 * current keys.
 */
function discover(
  runtime: Runtime,
  client: DemoClient,
  context: EnvironmentContext,
): Promise<openid.Configuration> {
  const { registered, provider } = descriptions[client]
  const { clientId, clientSecret } = registered(context)
  const issuerUrl = context.urls[provider]
  const localUrl = context.localUrls[provider]
  const http = createHttpClient(runtime, {
    caller: client,
    dependency: provider === 'idp' ? 'IDP' : 'token issuer',
    baseUrl: localUrl,
  })
  // The public address may not be reachable from this machine.
  const fetchLocally: openid.CustomFetch = (url, options) =>
    http.fetch(url.replace(new URL(issuerUrl).origin, localUrl), options as RequestInit)
  return openid.discovery(
    new URL(issuerUrl),
    clientId,
    { id_token_signed_response_alg: 'RS256' },
    openid.ClientSecretBasic(clientSecret),
    {
      [openid.customFetch]: fetchLocally,
      // Verifies signatures of ID tokens even though they arrive over a direct connection.
      execute: issuerUrl.startsWith('http:')
        ? [openid.allowInsecureRequests, openid.enableNonRepudiationChecks]
        : [openid.enableNonRepudiationChecks],
    },
  )
}

function endSessionUrlOf(
  configuration: openid.Configuration,
  idToken: string,
  context: EnvironmentContext,
): string | undefined {
  if (configuration.serverMetadata().end_session_endpoint === undefined) return undefined
  return openid.buildEndSessionUrl(configuration, {
    id_token_hint: idToken,
    post_logout_redirect_uri: afterPortalLogoutOf(context),
  }).href
}

function failureOf(error: unknown, state: string | undefined): FailedSignIn {
  const failed = (code: string, description: string) =>
    ({ outcome: 'failed', code, description, state }) as const
  if (error instanceof openid.AuthorizationResponseError) {
    return failed(error.error, error.error_description ?? '')
  }
  if (error instanceof openid.ResponseBodyError) {
    return failed(error.error, error.error_description ?? '')
  }
  // Any other error of this class comes from the client's own checks: state, signature, claims.
  const isRejected = error instanceof openid.ClientError && error.code !== 'OAUTH_TIMEOUT'
  const isOutage = isRejected && error.cause instanceof Response && error.cause.status >= 500
  if (isRejected && !isOutage) return failed(error.code ?? 'invalid_response', error.message)
  return failed('provider_unavailable', error instanceof Error ? error.message : '')
}
