import type { IncomingMessage } from 'node:http'
import type { Request, RequestHandler } from 'express'
import { invalidRequest } from './errors.ts'

/**
 * Path and query that a client requested, without host. A path that begins with several slashes
 * (`//host/`, `/\host/`, `/.//host/`) gets one: as a reference it would lead to another host
 * (RFC 3986, 4.2).
 */
export function requestAddress({
  originalUrl,
}: Pick<Request, 'originalUrl'>): Pick<URL, 'pathname' | 'search' | 'searchParams'> {
  // A proxy may send the absolute form (RFC 9112, 3.2.2).
  const path = originalUrl.replace(/^[a-z][a-z0-9+.-]*:\/\/[^/?#]*/i, '')
  const { pathname, search, searchParams } = new URL(
    `http://unused${path.startsWith('/') ? '' : '/'}${path}`,
  )
  return { pathname: pathname.replace(/^\/+/, '/'), search, searchParams }
}

/** The value of a cookie; undefined if the browser did not send it. */
export function readCookie(
  { headers }: Pick<IncomingMessage, 'headers'>,
  name: string,
): string | undefined {
  const cookies = (headers.cookie ?? '').split(/; */)
  return cookies.find((each) => each.startsWith(`${name}=`))?.slice(name.length + 1)
}

const singleHeaders = ['host', 'authorization', 'content-type'] as const

/** A name or address with an optional port, possibly empty (RFC 9110, 7.2). */
const hostHeader = /^(\[[\da-f:.]+\]|[\w.~!$&'()*+,;=%-]*)(:\d*)?$/i

/**
 * Why two servers can read a request differently: a repeated header, of which Node takes the first
 * and a proxy perhaps the last, or an invalid Host (RFC 9112, 3.2).
 */
export function findUnclearHeader({
  headers,
  headersDistinct,
}: Pick<IncomingMessage, 'headers' | 'headersDistinct'>): string | undefined {
  const repeated = singleHeaders.find((name) => (headersDistinct[name]?.length ?? 0) > 1)
  if (repeated) return `The header ${repeated} must not be repeated.`
  if (hostHeader.test(headers.host ?? '')) return undefined
  return 'The header host is not a host name or address with an optional port.'
}

/** Rejects requests that two servers can read differently. */
export const requireClearHeaders: RequestHandler = (request, _response, next) => {
  const problem = findUnclearHeader(request)
  next(problem && invalidRequest(problem))
}
