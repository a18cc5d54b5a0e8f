import type { RequestHandler } from 'express'

/**
 * Makes every request look as if it had come to the service's public address. oidc-provider builds
 * links, form targets and the `secure` flag of cookies from the request; what a client writes into
 * Host or X-Forwarded-* must not get there. Needs `provider.proxy = true`.
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
