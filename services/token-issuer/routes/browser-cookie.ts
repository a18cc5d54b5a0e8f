import { createHash } from 'node:crypto'
import type { Request, Response } from 'express'
import { randomToken } from '#kit/secrets.ts'

// Ports do not tell cookies apart, so the name says whose it is.
const nameFor = (baseUrl: string) =>
  `${createHash('sha256').update(baseUrl).digest('hex').slice(0, 8)}_browser`

/** The secret of this browser, where it has one: whoever begins a login elsewhere must end it. */
export function readBrowserCookie(request: Request, baseUrl: string): string | undefined {
  const name = nameFor(baseUrl)
  const cookies = (request.get('cookie') ?? '').split(/; */)
  const value = cookies.find((each) => each.startsWith(`${name}=`))?.slice(name.length + 1)
  return value !== undefined && /^[\w-]{43}$/.test(value) ? value : undefined
}

/** The same, made and set where there is none yet. */
export function ensureBrowserCookie(request: Request, response: Response, baseUrl: string): string {
  const value = readBrowserCookie(request, baseUrl) ?? randomToken()
  response.cookie(nameFor(baseUrl), value, {
    httpOnly: true,
    // Lax: the way back from the other provider is a navigation that comes from another site.
    sameSite: 'lax',
    secure: baseUrl.startsWith('https:'),
    path: '/broker',
  })
  return value
}
