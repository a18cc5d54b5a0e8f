import type { EventEmitter } from 'node:events'
import type { RequestHandler } from 'express'
import type { KoaContextWithOIDC, Provider } from 'oidc-provider'
import { z } from 'zod'
import { isTestbedError } from '#core/errors/testbed-error.ts'
import { type AnyRoute, defineRoute } from '../define-route.ts'
import { methodNotAllowed, payloadTooLarge } from '../errors.ts'
import type { Log } from '../log.ts'
import type { page } from '../page.ts'

const zDiscovery = z.object({
  issuer: z.url(),
  authorization_endpoint: z.url(),
  token_endpoint: z.url(),
  userinfo_endpoint: z.url().optional(),
  end_session_endpoint: z.url().optional(),
  jwks_uri: z.url(),
  scopes_supported: z.array(z.string()),
  response_types_supported: z.array(z.string()),
  response_modes_supported: z.array(z.string()),
  grant_types_supported: z.array(z.string()),
  id_token_signing_alg_values_supported: z.array(z.string()),
  subject_types_supported: z.array(z.string()),
  token_endpoint_auth_methods_supported: z.array(z.string()),
  code_challenge_methods_supported: z.array(z.string()),
  claim_types_supported: z.array(z.string()),
  claims_supported: z.array(z.string()),
  claims_parameter_supported: z.boolean(),
  request_parameter_supported: z.boolean(),
  request_uri_parameter_supported: z.boolean(),
  authorization_response_iss_parameter_supported: z.boolean(),
})

/** Members that differ between providers. */
type OwnMembers = Pick<
  z.infer<typeof zDiscovery>,
  | 'issuer'
  | 'authorization_endpoint'
  | 'token_endpoint'
  | 'userinfo_endpoint'
  | 'end_session_endpoint'
  | 'jwks_uri'
  | 'scopes_supported'
> & {
  /** Claims about users, in addition to those of every id_token. */
  readonly claims: readonly string[]
}

/** The authentication methods for clients of our providers. */
export const clientAuthMethods = ['client_secret_basic', 'client_secret_post'] as const

/**
 * The discovery document at its two addresses (OpenID Connect Discovery 1.0, RFC 8414). It replaces
 * that of oidc-provider, which announces features that no client may use here. The IDP issues
 * refresh tokens although grant_types_supported does not list them.
 *
 * @assumption A-33 A-56
 */
export function discoveryRoutes<Dependencies>(
  describe: (dependencies: Dependencies) => OwnMembers | Promise<OwnMembers>,
): readonly AnyRoute<Dependencies>[] {
  const shared = {
    method: 'get',
    summary: 'Discovery document',
    auth: 'none',
    cacheable: true,
    responses: { 200: { description: 'The discovery document', body: zDiscovery } },
    handle: async (_input: unknown, dependencies: Dependencies) => {
      const { claims, ...own } = await describe(dependencies)
      const body: z.infer<typeof zDiscovery> = {
        ...own,
        response_types_supported: ['code'],
        response_modes_supported: ['query', 'fragment', 'form_post'],
        grant_types_supported: ['authorization_code'],
        id_token_signing_alg_values_supported: ['RS256'],
        subject_types_supported: ['public'],
        token_endpoint_auth_methods_supported: [...clientAuthMethods],
        code_challenge_methods_supported: ['S256'],
        claim_types_supported: ['normal'],
        claims_supported: [...new Set(['iss', 'sub', 'aud', 'exp', 'iat', ...claims])],
        claims_parameter_supported: false,
        request_parameter_supported: false,
        request_uri_parameter_supported: false,
        authorization_response_iss_parameter_supported: true,
      }
      return { status: 200, headers: { 'access-control-allow-origin': '*' }, body }
    },
  } as const
  const define = defineRoute<Dependencies>()
  return [
    define({ ...shared, path: '/.well-known/openid-configuration' }),
    define({ ...shared, path: '/.well-known/oauth-authorization-server', documented: false }),
  ]
}

/**
 * RFC 9110, 4.1 recommends that every server accepts 8000 octets. Encoding a body for a URL may
 * triple its length.
 */
const longestLocation = 8000

/**
 * Accepts POST at an endpoint that browsers reach by GET (OpenID Connect Core 3.1.2.1, RP-Initiated
 * Logout 1.0, 2): redirects the browser to the same address with the form as its query.
 * oidc-provider accepts the form only with cookies that other sites' forms send too, which require
 * https.
 *
 * @assumption A-57
 */
export function postAsGet<Dependencies>(path: string): AnyRoute<Dependencies> {
  return defineRoute<Dependencies>()({
    method: 'post',
    path,
    summary: 'Same as GET, with the parameters as a form',
    auth: 'none',
    request: {
      contentTypes: ['application/x-www-form-urlencoded'],
      limit: 8192,
      body: z.record(z.string(), z.union([z.string(), z.array(z.string())])).default({}),
    },
    responses: {
      303: { description: 'Redirect to the same address with the parameters as the query' },
    },
    errors: ['invalid_request', 'unsupported_media_type', 'payload_too_large'],
    handle({ body }) {
      const query = new URLSearchParams()
      // Duplicate parameters stay duplicate: the endpoint must reject them.
      for (const [name, values] of Object.entries(body)) {
        for (const value of [values].flat()) query.append(name, value)
      }
      const location = `${path}?${query}`
      if (location.length > longestLocation) {
        throw payloadTooLarge('The parameters are longer than this endpoint accepts in a URL.')
      }
      return { status: 303, headers: { location } }
    },
  })
}

/** What oidc-provider answers at a route; the other ones take GET and POST. */
const methodsOf: Readonly<Record<string, readonly string[]>> = { token: ['POST'], jwks: ['GET'] }

/** Where it answers preflight requests of pages of other origins. */
const crossOrigin: readonly string[] = ['token', 'jwks']

/**
 * Passes requests at or below the given paths to oidc-provider; all others continue to the next
 * handler. The provider may still be starting, or differ between requests. Request bodies must be
 * unread.
 * @param routes the paths by the names that oidc-provider gives them
 */
export function providerHandler(
  provider: () => Promise<Provider>,
  routes: Readonly<Record<string, string>>,
): RequestHandler {
  return async function handleOpenid(request, response, next) {
    const { method, path: requested } = request
    const isAt = (path: string) => requested === path || requested.startsWith(`${path}/`)
    const [name, path] = Object.entries(routes).find(([, each]) => isAt(each)) ?? []
    if (name === undefined || path === undefined) return next()
    const methods = methodsOf[name] ?? ['GET', 'POST']
    const isPreflight =
      method === 'OPTIONS' &&
      crossOrigin.includes(name) &&
      request.get('access-control-request-method') !== undefined
    if (!isPreflight && !methods.includes(method === 'HEAD' ? 'GET' : method)) {
      return next(methodNotAllowed(methods))
    }
    response.locals.route = path
    return (await provider()).callback()(request, response)
  }
}

/**
 * Logs failures of oidc-provider, and reports an unavailable database like every other endpoint.
 * oidc-provider itself answers `server_error` (500) to any unknown error. Its `renderError` handles
 * pages.
 */
export function reportProviderFailures(provider: Provider, log: Log): void {
  // Koa's default listener prints a stack trace, even for a body that the client aborted.
  const events: EventEmitter = provider
  events.on('error', (error: Error & { code?: unknown }) => {
    const isConnection = /^(HPE_|ECONNRESET$|ECONNABORTED$|EPIPE$)/.test(String(error.code))
    if (isConnection) log.info({ reason: error.message }, 'a request could not be read')
    else log.error({ err: error }, 'the OpenID provider failed')
  })
  provider.on('server_error', (context, error) => {
    log.error({ err: error.cause ?? error }, 'the OpenID provider failed')
    if (!isTestbedError(error) || typeof context.body !== 'object') return
    context.status = error.status
    context.body = { error: error.code, error_description: error.message }
  })
}

/**
 * Makes every request look as if it was sent to the service's public address. oidc-provider builds
 * links, form targets and the `secure` flag of cookies from the request, so that client-supplied
 * Host or X-Forwarded-* headers must not reach it. Needs `provider.proxy = true`.
 */
export function usePublicUrl(baseUrl: string): RequestHandler {
  const { host, protocol } = new URL(baseUrl)
  return function setPublicUrl(request, _response, next) {
    request.headers.host = host
    request.headers['x-forwarded-host'] = host
    request.headers['x-forwarded-proto'] = protocol.replace(':', '')
    next()
  }
}

/** Answers a request of oidc-provider with one of our pages. */
export function sendPage(
  context: KoaContextWithOIDC,
  { status, headers, contentType, body }: ReturnType<typeof page>,
): void {
  context.status = status
  context.set({ ...headers })
  context.type = contentType
  context.body = body
}
