import { isIP } from 'node:net'
import type { Request, RequestHandler, Response } from 'express'
import { foreignOrigin } from './errors.ts'

/** Returns whether a Host header names this server. */
export type HostCheck = (host: string | undefined) => boolean

/**
 * Accepts loopback names, IP addresses, and the given host names, on any port. With DNS rebinding a
 * web page reaches a local server under a name that its author controls; an IP address cannot be
 * rebound.
 * @assumption A-65
 */
export function createHostCheck(names: readonly string[]): HostCheck {
  const own = new Set(['localhost', ...names.map((name) => hostnameOf(name) ?? name)])
  return (host) => {
    const name = hostnameOf(host ?? '')
    return name !== undefined && (own.has(name) || name.endsWith('.localhost') || isAddress(name))
  }
}

/** Whether a name can be that of a host; an address with a scheme or a path is not. */
export const isHostName = (name: string): boolean => hostnameOf(name) !== undefined

/** Parses comma-separated host names, as in options and environment variables. */
export const splitHosts = (text = ''): string[] =>
  text.split(',').flatMap((name) => name.trim() || [])

/** The host of an address in a URL, where an IPv6 address has brackets. */
export const hostInUrl = (host: string): string => (isIP(host) === 6 ? `[${host}]` : host)

/** Just the name, in lower case, without port and trailing dot. */
function hostnameOf(host: string): string | undefined {
  if (host === '' || /[/?#@\\]/.test(host)) return undefined
  const address = `http://${hostInUrl(host)}`
  return URL.canParse(address) ? new URL(address).hostname.replace(/\.$/, '') : undefined
}

const isAddress = (name: string) => isIP(name.replace(/^\[|\]$/g, '')) !== 0

/** Rejects requests with another server's name in the Host header. */
export function checkHost(isOwn: HostCheck): RequestHandler {
  return function requireOwnHost(request, _response, next) {
    next(isOwn(request.headers.host) ? undefined : foreignOrigin())
  }
}

/** Rejects requests from web pages of another origin too; `baseUrl` is the public origin. */
export function checkHostAndOrigin(isOwn: HostCheck, baseUrl: string): RequestHandler {
  const publicHost = new URL(baseUrl).host
  return function requireOwnHostAndOrigin(request, _response, next) {
    const { host, origin } = request.headers
    const caller = URL.canParse(origin ?? '') ? new URL(origin ?? '').host : undefined
    const isSame = origin === undefined || caller === host?.toLowerCase() || caller === publicHost
    next(isOwn(host) && isSame ? undefined : foreignOrigin())
  }
}

const requestHeaders = [
  'Authorization',
  'Content-Type',
  'If-None-Match',
  'X-Request-Id',
  'X-Scenario-Id',
]
const responseHeaders = ['Cache-Control', 'ETag', 'Retry-After', 'WWW-Authenticate', 'X-Request-Id']

/**
 * Makes an address available to wallets that run in a browser, on any origin, and marks every
 * response, including errors. Its requests authenticate with a token, never with a cookie.
 *
 * @returns true for a preflight request, which is answered with this
 * @see Fetch Standard, CORS protocol
 * @assumption A-61
 */
export function openToAnyOrigin(
  request: Request,
  response: Response,
  methods: readonly string[],
): boolean {
  response.set({
    'access-control-allow-origin': '*',
    'access-control-expose-headers': responseHeaders.join(', '),
  })
  const isPreflight =
    request.method === 'OPTIONS' && request.get('access-control-request-method') !== undefined
  if (!isPreflight) return false
  response.set({
    'access-control-allow-methods': methods.join(', '),
    'access-control-allow-headers': requestHeaders.join(', '),
    'access-control-max-age': '7200',
  })
  response.status(204).end()
  return true
}
