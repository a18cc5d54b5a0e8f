import type { Request, Response } from 'express'

const requestHeaders = [
  'Authorization',
  'Content-Type',
  'If-None-Match',
  'X-Request-Id',
  'X-Scenario-Id',
]
const responseHeaders = ['Cache-Control', 'ETag', 'Retry-After', 'WWW-Authenticate', 'X-Request-Id']

/**
 * Opens an address to wallets that run in a browser, on any origin, and marks every response, errors
 * included. What is sent with it proves itself by a token in the request, never by a cookie.
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
