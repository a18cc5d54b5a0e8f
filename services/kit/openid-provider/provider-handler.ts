import type { EventEmitter } from 'node:events'
import type { RequestHandler } from 'express'
import type { KoaContextWithOIDC, Provider } from 'oidc-provider'
import { isTestbedError } from '#core/errors/testbed-error.ts'
import { methodNotAllowed } from '#kit/errors.ts'
import type { Log } from '#kit/log.ts'
import type { page } from '#kit/page.ts'

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
