import type { IncomingMessage } from 'node:http'
import type { Request } from 'express'

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
