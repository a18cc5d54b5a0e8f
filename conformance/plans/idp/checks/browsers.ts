import type { HttpPage } from '#scenarios/harness/http-browser.ts'
import {
  broken,
  defineChecks,
  type Finding,
  findEach,
  held,
  inconclusive,
} from '../../../kit/check.ts'
import { requireFinding } from '../../../kit/classify-answer.ts'
import { requireDefect } from '../../../world/defects/create-credential-with-defect.ts'
import type { IdpContext } from '../context.ts'

const origin = 'https://attacker.example'

/** What browsers may do with a login: cookies, frames, other origins. */
export const checks = defineChecks<IdpContext>({
  'O62-cookies': {
    title: 'Cookies of a login are hidden from scripts and from other sites',
    level: 'practice',
    expectation: 'advice',
    clauses: ['OpenID4VP 1.0, 14.2'],
    description:
      'The cookie decides which browser gets the code. A script or another site that reads or sends it continues the login of a victim.',
    sends: 'An authorization request, and the redirects that follow, up to the page.',
    decides:
      'Each cookie that is set has HttpOnly and a SameSite other than None, and Secure if the issuer is https. Without a cookie the check is inconclusive.',
    fix: 'Set the cookies of a login with HttpOnly, SameSite=Lax or Strict, and with Secure at https addresses.',
    async run({ authorizationUrl, httpAs, target }) {
      const http = httpAs('browser')
      const first = await authorizationUrl({ parameters: { state: 's', nonce: 'n' } })
      const { set } = await follow(http, first.href)
      if (set.length === 0) return inconclusive('The IDP sets no cookie before the login.')
      const isSecure = target.issuer.startsWith('https:')
      const wrong = set.flatMap((cookie) => {
        const [name = ''] = cookie.split('=')
        const attributes = cookie.split(/; */).slice(1)
        const has = (pattern: RegExp) => attributes.some((each) => pattern.test(each))
        return [
          ...(has(/^httponly$/i) ? [] : [`${name} lacks HttpOnly`]),
          ...(has(/^samesite=(lax|strict)$/i) ? [] : [`${name} lacks SameSite`]),
          ...(has(/^secure$/i) || !isSecure ? [] : [`${name} lacks Secure`]),
        ]
      })
      return wrong.length === 0
        ? held(`${set.length} cookies have the attributes.`, { verdictSource: 'Set-Cookie' })
        : broken(`${wrong.join(', ')}.`, { verdictSource: 'Set-Cookie', actual: wrong })
    },
  },
  'O63-frames': {
    title: 'The login page cannot be shown inside a page of another site',
    level: 'final',
    expectation: 'advice',
    clauses: ['RFC 9700, 4.16'],
    description:
      'A site that shows the page in an invisible frame makes users click on what they do not see.',
    sends: 'An authorization request, up to the page, and a login with an expired credential.',
    decides:
      'Both pages have X-Frame-Options, or frame-ancestors in their Content-Security-Policy. Without a page the check is inconclusive.',
    fix: "Send Content-Security-Policy: frame-ancestors 'none' and X-Frame-Options: DENY with every page of a login.",
    async run(context) {
      const url = await context.authorizationUrl({ parameters: { state: 's', nonce: 'n' } })
      const page = await context.createBrowser().get(url.href)
      const { status } = page
      if (status !== 200) return inconclusive(`There is no page: HTTP ${status}.`)
      const first = findProtection('The page', page)
      if (first.kind !== 'held' || !context.target.walletLogin) return first
      const failed = await openFailedPage(context).catch(requireFinding)
      return 'visited' in failed && failed.status === 200
        ? findProtection('The page of a failed login', failed)
        : first
    },
  },
  'O64-other-origins': {
    title: 'Scripts of other sites cannot read logins',
    level: 'final',
    expectation: 'advice',
    clauses: ['RFC 9700, 2.6'],
    description:
      'A site that can request the authorization endpoint with the cookies of a user, and read the answer, reads the code.',
    sends:
      'Requests with a foreign Origin to the authorization endpoint, userinfo and the token endpoint.',
    decides:
      'The authorization endpoint allows no origin. No answer allows a foreign origin together with credentials.',
    fix: 'Send no Access-Control-Allow-Origin at the authorization endpoint, and never Access-Control-Allow-Credentials together with the Origin of the request.',
    async run({ authorizationUrl, endpoint, httpAs }) {
      const address = await authorizationUrl({ parameters: { state: 's', nonce: 'n' } })
      const [token, userinfo] = [
        await endpoint('token_endpoint'),
        await endpoint('userinfo_endpoint'),
      ]
      const cases = [
        { what: 'The authorization endpoint', url: address.href, isClosed: true },
        { what: 'userinfo', url: userinfo, isClosed: false },
        { what: 'The token endpoint', url: token, isClosed: false },
      ]
      return findEach(cases, async ({ what, url, isClosed }) => {
        const { headers } = await httpAs('browser').request(url, { headers: { origin } })
        const allowed = headers.get('access-control-allow-origin')
        const withCredentials = headers.get('access-control-allow-credentials') === 'true'
        const isOpen = isClosed ? allowed !== null : allowed === origin && withCredentials
        return isOpen
          ? broken(`${what} allows ${allowed}.`, { actual: Object.fromEntries(headers) })
          : held(`${what} does not.`, { verdictSource: 'Access-Control-Allow-Origin' })
      })
    },
  },
})

/** Whether other sites can show a page in a frame. */
function findProtection(what: string, { headers }: Pick<HttpPage, 'headers'>): Finding {
  const verdictSource = 'headers of the page'
  const policy = headers.get('content-security-policy') ?? ''
  const frameOptions = headers.get('x-frame-options') ?? ''
  const isProtected =
    /frame-ancestors\s+(?!\*)/.test(policy) || /^(deny|sameorigin)$/i.test(frameOptions)
  return isProtected
    ? held(`${what} forbids frames of other sites.`, { verdictSource })
    : broken(`${what} may be shown in frames.`, {
        verdictSource,
        actual: { 'content-security-policy': policy, 'x-frame-options': frameOptions },
      })
}

/** The page of a login whose presentation was rejected. */
async function openFailedPage(context: IdpContext): Promise<HttpPage> {
  const login = await context.beginLogin()
  await context.present(login, { defect: requireDefect('expired') })
  return login.browser.get(login.page.url)
}

/** Follows redirects within the IDP and collects the cookies that are set. */
async function follow(
  http: ReturnType<IdpContext['httpAs']>,
  first: string,
): Promise<{ readonly set: readonly string[] }> {
  const set: string[] = []
  const jar = new Map<string, string>()
  let next: string | undefined = first
  for (let hops = 0; next !== undefined && hops < 10; hops++) {
    const cookie = [...jar].map(([name, value]) => `${name}=${value}`).join('; ')
    const { status, headers, url } = await http.request(next, cookie ? { headers: { cookie } } : {})
    const given = headers.getSetCookie()
    set.push(...given)
    for (const each of given) {
      const [name = '', value = ''] = each.split(';')[0]?.split(/=(.*)/s) ?? []
      jar.set(name, value)
    }
    const location = headers.get('location')
    const isRedirect = status >= 300 && status < 400 && location !== null
    const target = isRedirect ? new URL(location, url) : undefined
    next = target?.origin === new URL(first).origin ? target.href : undefined
  }
  return { set }
}
