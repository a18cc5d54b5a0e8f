import { createHash } from 'node:crypto'
import type { Request } from 'express'

/** Browsers do not tell the ports of one host apart: each public address has a name of its own. */
function nameFor(baseUrl: string): string {
  const name = `${createHash('sha256').update(baseUrl).digest('hex').slice(0, 8)}_admin`
  return isSecure(baseUrl) ? `__Host-${name}` : name
}

const isSecure = (baseUrl: string) => baseUrl.startsWith('https:')

/** What a browser sends as its session of the panel, or before it is logged in. */
export function readSessionCookie(request: Request, baseUrl: string): string | undefined {
  const name = nameFor(baseUrl)
  const cookies = (request.get('cookie') ?? '').split(/; */)
  const value = cookies.find((each) => each.startsWith(`${name}=`))?.slice(name.length + 1)
  return value !== undefined && /^[\w-]{43}$/.test(value) ? value : undefined
}

/**
 * The Set-Cookie header of a session: for this host and no script, sent by no other site's pages,
 * gone with the browser. An empty value takes the cookie away.
 */
export function sessionCookie(value: string, baseUrl: string): string {
  return [
    `${nameFor(baseUrl)}=${value}`,
    'HttpOnly',
    'SameSite=Strict',
    // The prefix __Host- asks for this path.
    `Path=${isSecure(baseUrl) ? '/' : '/admin'}`,
    ...(isSecure(baseUrl) ? ['Secure'] : []),
    ...(value === '' ? ['Max-Age=0'] : []),
  ].join('; ')
}
