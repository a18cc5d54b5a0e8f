import { randomUUID } from 'node:crypto'
import { decodeProtectedHeader } from 'jose'
import { createHttpBrowser, type HttpPage } from '#scenarios/harness/http-browser.ts'
import { fetchBy, type HttpAnswer, type HttpClient } from '#scenarios/harness/http-client.ts'
import {
  broken,
  defineChecks,
  type Finding,
  held,
  inconclusive,
  wronglyAccepted,
} from '../../../kit/check.ts'
import { asPremise, classifyStatus, requireFinding } from '../../../kit/classify-answer.ts'
import { findEach, requireEach } from '../../../kit/find-each.ts'
import { forwardedHost } from '../../../kit/recorded-http.ts'
import { mandate } from '../../../world/create-trust-world.ts'
import { requireDefect } from '../../../world/defects/create-credential-with-defect.ts'
import type { IdpContext } from '../context.ts'
import { findPresentationLink } from '../find-login-page.ts'
import { isJwt } from '../read-tokens.ts'
import {
  awaitSessionEnd,
  continuedAt,
  findSessionCode,
  sessionCodeOf,
  statusAddress,
} from '../sessions.ts'

const origin = 'https://attacker.example'

/** Parameters for the next address of a browser, in common frameworks. */
const addressNames = ['next', 'redirect_uri', 'return_to', 'continue', 'url']

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
      'A site that can request the authorization endpoint with the cookies of a user, and read the response, reads the code.',
    sends:
      'Requests with a foreign Origin to the authorization endpoint, userinfo and the token endpoint.',
    decides:
      'The authorization endpoint allows no origin. No response allows a foreign origin together with credentials.',
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
  'O97-nothing-stored': {
    title: 'Nothing of a login is kept in caches or addresses',
    level: 'practice',
    expectation: 'advice',
    control: 'login',
    needs: ['wallet-login'],
    clauses: ['RFC 9700, 4.3.2'],
    description:
      'With a stored page or status, a login never ends, and a stored redirect leads to an old code. Histories and logs keep addresses, with the tokens and the personal data in them.',
    sends:
      'A complete login with its page, the status of its session, and the redirects up to redirect_uri; an authorization request with prompt=none.',
    decides:
      'No response is a permanent redirect (301, 308), and none may be stored: Cache-Control contains neither public nor a max-age or s-maxage above 0. The address with the code contains no JWT besides code and state, and no email address of the person.',
    fix: 'Send Cache-Control: no-store with each page, status and redirect of a login, and redirect with 303. Add only code, state and iss to redirect_uri.',
    async run(context) {
      const { authorizationUrl, httpAs, logIn, target } = context
      const answers: HttpAnswer[] = []
      const request: HttpClient['request'] = async (...asked) => {
        const answer = await httpAs('browser').request(...asked)
        answers.push(answer)
        return answer
      }
      const browser = createHttpBrowser([target.client.redirectUri], {}, fetchBy(request))
      const { callback, page } = await logIn({ browser })
      const session = findSessionCode(page)
      if (session !== undefined) await request(statusAddress(context, session))
      await request((await authorizationUrl({ parameters: { prompt: 'none', nonce: 'n' } })).href)
      await requireEach(answers, async ({ method, url, status, headers }) => {
        const { pathname } = new URL(url)
        const cached = headers.get('cache-control') ?? ''
        const isStored = !/\bno-store\b/.test(cached) && /\bpublic\b|max-?age=0*[1-9]/.test(cached)
        if (isStored) return broken(`${method} ${pathname} may be stored.`, { actual: cached })
        if (status === 301 || status === 308) {
          const reason = `${method} ${pathname} is a permanent redirect.`
          return broken(reason, { actual: status })
        }
      })
      const revealed = [...callback.searchParams, ...new URLSearchParams(callback.hash.slice(1))]
        .filter(([name, value]) => {
          const isOpaque = name === 'code' || name === 'state'
          return (!isOpaque && isReadable(value)) || value.includes(mandate.mandatee.email)
        })
        .map(([name]) => name)
      return revealed.length === 0
        ? held(`None of ${answers.length} responses may be stored.`)
        : broken(`The address with the code has personal data in ${revealed.join(', ')}.`, {
            actual: revealed,
          })
    },
  },
  'O93-open-redirect': {
    title: 'No address of a login redirects to a site that its parameters name',
    level: 'final',
    expectation: 'refuse',
    control: 'login',
    needs: ['wallet-login'],
    clauses: ['RFC 9700, 4.11.2'],
    description:
      'People trust a link to their IDP. If it leads to a site of an attacker after the login, that site can ask for more, and may get the code.',
    sends: `Logins with a valid presentation. Once the session is SUCCESS, its page, the address that the wallet got, or continueAt of the target is opened with another site in ${addressNames.join(', ')} and in each of its parameters that has an address.`,
    decides: 'The browser does not arrive at the other site.',
    fix: 'Keep redirect_uri, and where a login continues, with the login on the server. Do not read them from the address of its page, and do not follow next or similar parameters.',
    run: (context) =>
      findEach([`${origin}/`, origin.replace('https:', '')], async (other) => {
        await requireEach(['page', 'wallet', 'continueAt'] as const, async (place) => {
          const login = await asPremise('starting a login (see O02)', context.beginLogin())
          const { redirectUri: wallet } = await context.present(login)
          const status = await awaitSessionEnd(context, sessionCodeOf(login.page))
          if (status !== 'SUCCESS') return inconclusive(`The session is ${status}.`)
          const continueAt = continuedAt(context.target, login.page)
          const address = { page: login.page.url, wallet, continueAt }[place]
          if (address === undefined || !URL.canParse(address)) return
          const site = new URL(other, address).origin
          const { url } = await login.browser.get(withOtherSite(address, other), site)
          if (!url.startsWith(site)) return
          const at = new URL(address).pathname
          return wronglyAccepted(`${at} redirected to ${url}.`, { verdictSource: 'redirect' })
        })
        return held(`No address redirected to ${other}.`, { verdictSource: 'redirect' })
      }),
  },
  'O98-addresses-from-headers': {
    title: 'No address of a login comes from Forwarded or X-Forwarded-Host',
    level: 'practice',
    expectation: 'refuse',
    control: 'login',
    needs: ['wallet-login'],
    description:
      'Clients can send the headers of proxies too. If a cache keeps the response, the browsers and wallets of other people go to a host of an attacker.',
    sends:
      'A login with another host in Forwarded and X-Forwarded-Host, and a valid presentation to it.',
    decides:
      'Neither a redirect, nor the page, nor the address that the wallet gets contains that host. The IDP may also reject the request.',
    fix: 'Create the addresses of a login from your configuration, not from Host, Forwarded or X-Forwarded-Host.',
    async run(context) {
      const { httpAs, target } = context
      const host = forwardedHost['x-forwarded-host'] ?? ''
      const stopAt = [target.client.redirectUri, `https://${host}`, `http://${host}`]
      const browser = createHttpBrowser(stopAt, forwardedHost, fetchBy(httpAs('browser').request))
      const parameters = { state: randomUUID(), nonce: randomUUID() }
      const { href: url } = await context.authorizationUrl({ parameters })
      const page = await browser.get(url)
      const find = (what: string, text: string) => {
        const details = { verdictSource: what, actual: text.slice(0, 2000) }
        return broken(`Forwarded or X-Forwarded-Host changes ${what}.`, details)
      }
      const redirect = page.visited.find((address) => address.includes(host))
      if (redirect !== undefined) return find('a redirect of the login', redirect)
      if (page.text.includes(host)) return find('the page of the login', page.text)
      if (classifyStatus(page.status) === 'refused') return held('The IDP rejected the request.')
      const premise = findPresentationLink(httpAs('browser'), page)
      const link = await asPremise('starting a login (see O02)', premise)
      if (link.includes(host)) return find('the link for the wallet', link)
      const { redirectUri = '' } = await context.present({
        browser,
        url,
        page,
        link,
        ...parameters,
      })
      return redirectUri.includes(host)
        ? find('the address that the wallet gets', redirectUri)
        : held(`No address contains ${host}.`)
    },
  },
})

/** Whether a value is a JWT, and not only three parts with dots between them. */
function isReadable(value: string): boolean {
  try {
    return isJwt(value) && Boolean(decodeProtectedHeader(value))
  } catch {
    return false
  }
}

/** An address whose parameters name another site. */
function withOtherSite(address: string, other: string): string {
  const url = new URL(address)
  const own = [...url.searchParams].filter(([, value]) => /^(\/|https?:)/.test(value))
  for (const name of [...addressNames, ...own.map(([each]) => each)]) {
    url.searchParams.set(name, other)
  }
  return url.href
}

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
