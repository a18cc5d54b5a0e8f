import type { RequestHandler } from 'express'
import type { Provider } from 'oidc-provider'

/** Where oidc-provider answers, whatever its configuration. */
const wellKnown = ['/.well-known/openid-configuration', '/.well-known/oauth-authorization-server']

/**
 * Hands the requests to the given paths (and to what lies below them) over to oidc-provider; all
 * others go on. The provider may still be in the making, or be another one for each request.
 * Bodies must not have been read before.
 */
export function providerHandler(
  provider: () => Promise<Provider>,
  paths: readonly string[],
): RequestHandler {
  const own = [...wellKnown, ...paths]
  return async function handleOpenid(request, response, next) {
    const path = own.find((each) => request.path === each || request.path.startsWith(`${each}/`))
    if (path === undefined) return next()
    response.locals.route = path
    return (await provider()).callback()(request, response)
  }
}
