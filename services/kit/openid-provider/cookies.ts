import { createHash } from 'node:crypto'
import type { Request } from 'express'
import type { Configuration } from 'oidc-provider'

/**
 * oidc-provider's cookies under names of this provider's own. Browsers do not tell the ports of one
 * host apart: two providers on a laptop would overwrite each other's sessions.
 * @param baseUrl the provider's public address
 * @param keys secrets that sign the cookies, newest first
 */
export function openidCookies(
  baseUrl: string,
  keys: readonly string[],
): NonNullable<Configuration['cookies']> {
  return {
    keys: [...keys],
    names: {
      session: cookieName(baseUrl, 'session'),
      interaction: cookieName(baseUrl, 'interaction'),
      resume: cookieName(baseUrl, 'resume'),
    },
    long: { httpOnly: true, sameSite: 'lax', signed: true },
    short: { httpOnly: true, sameSite: 'lax', signed: true },
  }
}

/** A cookie's name that no service at another public address has. */
export function cookieName(baseUrl: string, purpose: string): string {
  return `${createHash('sha256').update(baseUrl).digest('hex').slice(0, 8)}_${purpose}`
}

/** The `randomToken` that a browser sends as this cookie; undefined where it sends none. */
export function readTokenCookie(request: Request, name: string): string | undefined {
  const cookies = (request.get('cookie') ?? '').split(/; */)
  const value = cookies.find((each) => each.startsWith(`${name}=`))?.slice(name.length + 1)
  return value !== undefined && /^[\w-]{43}$/.test(value) ? value : undefined
}
