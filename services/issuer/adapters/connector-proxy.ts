import express, { type Request, type RequestHandler } from 'express'
import { createHttpClient, type HttpRequest } from '#kit/create-http-client.ts'
import {
  invalidRequest,
  isUnreadable,
  oauthErrorBody,
  sendError,
  toTestbedError,
} from '#kit/errors.ts'
import { openToAnyOrigin } from '#kit/origins.ts'
import { viaIssuer } from '#kit/record-hops.ts'
import type { Runtime } from '#kit/runtime.ts'
import { connectorAway } from '../errors.ts'

/** Paths of wallets below the issuer's base address. Ids are one segment, without a backslash. */
const walletPath =
  /^\/(?:\.well-known\/openid-credential-issuer|token|credential|deferred_credential|(offers|schemas)\/[\w.~!'()*%:@-]+)\/?$/i

/**
 * Headers that are forwarded to the Connector. All others are dropped: hop-by-hop headers, cookies,
 * API keys, and a client's claims about earlier proxies.
 */
const requestHeaders = [
  'accept',
  'accept-language',
  'authorization',
  'content-type',
  'if-none-match',
  'origin',
] as const

/** Set separately for the connection to the client (RFC 9110, 7.6.1), or by this service. */
const ownResponseHeaders: ReadonlySet<string> = new Set([
  'connection',
  'content-length',
  'date',
  'keep-alive',
  'transfer-encoding',
  'x-request-id',
])

/** The request of a wallet as the Connector gets it. */
function toForwardedRequest(request: Request, signal: AbortSignal): HttpRequest {
  const headers: Record<string, string> = { via: viaIssuer }
  for (const name of requestHeaders) {
    const value = request.get(name)
    if (value !== undefined) headers[name] = value
  }
  return {
    method: request.method,
    headers,
    userAgent: request.get('user-agent') ?? '',
    signal,
    ...(request.body instanceof Uint8Array && { body: request.body }),
  }
}

/** Largest body in either direction, the same as elsewhere in the kit. */
const limit = 1024 * 1024

/** Longer than the Connector waits for this issuer's claims. */
const timeoutMilliseconds = 15_000

/**
 * Forwards the wallet-facing paths to the Connector, so that one public address serves issuer and
 * wallets. Reads bodies completely, so that an interrupted response becomes a 503 instead of a
 * partial response. The Connector records the exchange, once.
 *
 * @assumption A-62
 */
export function forwardToConnector(connectorUrl: string, runtime: Runtime): RequestHandler {
  const connector = createHttpClient(runtime, {
    caller: 'issuer',
    dependency: 'connector',
    baseUrl: connectorUrl,
    faults: ['connector-down'],
    timeoutMilliseconds,
    limit,
  })
  const log = runtime.log.child({ service: 'issuer' })
  const readBody = express.raw({ limit, type: () => true })

  return async function forwardWalletRequest(request, response, next) {
    const { path, originalUrl } = request
    const match = walletPath.exec(path)
    if (match === null) return next()
    // CORS headers are set here, so that a page can read the error if the Connector is down.
    if (openToAnyOrigin(request, response, ['GET', 'POST'])) return
    response.locals.route = (match[1] === undefined ? path : `/${match[1]}/:id`).toLowerCase()
    // The Connector must not count a credential as delivered to a wallet that has gone.
    const gone = new AbortController()
    response.once('close', () => gone.abort())
    try {
      await new Promise<void>((resolve, reject) => {
        readBody(request, response, (problem?: unknown) => (problem ? reject(problem) : resolve()))
      })
      const query = originalUrl.indexOf('?')
      const answer = await connector.request(
        query === -1 ? path : `${path}${originalUrl.slice(query)}`,
        toForwardedRequest(request, gone.signal),
      )
      if (gone.signal.aborted) return
      response.locals.isForwarded = true
      response.status(answer.status)
      answer.headers.forEach((value, name) => {
        if (!ownResponseHeaders.has(name)) response.setHeader(name, value)
      })
      response.end(answer.bytes)
    } catch (thrown) {
      if (gone.signal.aborted) return
      const problem = toTestbedError(thrown)
      // RFC 6749, 5.2, has one code for every malformed request to the token endpoint.
      const isForToken = isUnreadable(thrown) && response.locals.route.startsWith('/token')
      const error = isForToken ? invalidRequest(problem.message) : problem
      if (error.status < 500) return sendError(response, error, oauthErrorBody)
      log.error(
        { err: error.cause ?? error, code: error.code, detail: error.detail },
        error.message,
      )
      sendError(response, connectorAway(), oauthErrorBody)
    }
  }
}
