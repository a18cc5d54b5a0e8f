import { expectEqual, expectTrue } from '#scenarios/harness/expectations.ts'
import {
  broken,
  type CheckLevel,
  defineChecks,
  type Finding,
  held,
  inconclusive,
} from '../../../kit/check.ts'
import {
  asPremise,
  classifyStatus,
  findRefusal,
  outageOf,
  requireJson,
} from '../../../kit/classify-answer.ts'
import { findEach, requireEach } from '../../../kit/find-each.ts'
import { nearMissesOf, spaceAtEnd } from '../../../kit/near-misses.ts'
import { requireDefect } from '../../../world/defects/create-credential-with-defect.ts'
import type { BegunLogin, IdpContext } from '../context.ts'
import { findLinkOfPage } from '../find-login-page.ts'
import {
  awaitSessionEnd,
  codeAt,
  continuedAt,
  pollSession,
  requestStatus,
  sessionCodeOf,
  sessionNamesOf,
  statusAddress,
} from '../sessions.ts'

const verdictSource = 'status of the session'

/** Headers of a client that does not know the API key. */
const keys: readonly { what: string; headers: Readonly<Record<string, string>> }[] = [
  { what: 'without an API key', headers: {} },
  { what: 'with an empty API key', headers: { 'x-api-key': '' } },
  { what: 'with a wrong API key', headers: { 'x-api-key': 'this is a wrong key' } },
]

/** The sessions that a wallet decides. */
export const checks = defineChecks<IdpContext>({
  'O16-unknown-session': {
    title: 'Polling an unknown session returns an error',
    level: 'practice',
    expectation: 'refuse',
    description: 'The endpoint is public: it must not help to guess sessions.',
    sends:
      'GET /idp/api/auth/requests with an unknown session code, with near misses of an existing one, with a space at its end, and without one.',
    decides: 'Each request is rejected, while polling an existing session is not.',
    fix: 'If session is unknown or missing, return a 4xx, such as 404, from GET /idp/api/auth/requests, without a status.',
    needs: ['wallet-login'],
    async run(context) {
      const { page } = await context.beginLogin()
      const url = `${context.baseUrl}/idp/api/auth/requests`
      const http = context.httpAs('browser')
      const without = findRefusal(await http.request(url), { what: 'Polling without a session' })
      if (without.kind !== 'held') return without
      const what = 'Polling an unknown session'
      const unknown = await http.request(`${url}?session=nobody-was-given-this-code`)
      const finding = findRefusal(unknown, { what })
      if (finding.kind !== 'held') return finding
      const session = sessionCodeOf(page)
      const misses = [...nearMissesOf(session), spaceAtEnd]
      const similar = await findEach(misses, async (each) => {
        const query = new URLSearchParams({ session: each.change(session) })
        const answer = await http.request(`${url}?${query}`)
        return findRefusal(answer, { what: `Polling a session whose code ${each.what}` })
      })
      if (similar.kind !== 'held') return similar
      // A server that rejects every session proves nothing.
      const { status } = await http.request(`${url}?${new URLSearchParams({ session })}`)
      return status === 200
        ? finding
        : inconclusive(`${finding.reason}, but so was polling an existing session: ${status}.`)
    },
  },
  'O29-forged-verdict': {
    title: 'Integration endpoints require the API key',
    level: 'spec',
    expectation: 'refuse',
    rows: ['1.authentication.3'],
    description:
      'An attacker who could report a valid presentation to the IDP could log in as anyone.',
    sends:
      'A login is started, and a verdict is posted without an API key to each of the integration endpoints of the target, under every name of its session that its link contains; under the first name also with an empty and with a wrong key.',
    decides:
      'Each returns 401 or 403, and the session stays PENDING. A different error may be about the body, and the check is then inconclusive.',
    fix: 'Compare x-api-key at each integration endpoint before you read the body. If it is missing or wrong, return 401, and leave the session PENDING.',
    needs: ['wallet-login', 'internal-endpoints'],
    async run(context) {
      const login = await context.beginLogin()
      const names = await sessionNamesOf(context, login)
      const { internalEndpoints = [] } = context.target
      const posts = internalEndpoints.flatMap((url) =>
        // Few wrong keys: an IDP may lock out clients that guess.
        names.flatMap((session_id, index) =>
          keys.slice(0, index === 0 ? keys.length : 1).map((key) => ({ url, session_id, ...key })),
        ),
      )
      await requireEach(posts, async ({ url, session_id, what, headers }) => {
        const json = { session_id, status: 'SUCCESS', credential: {} }
        const { status } = await context.httpAs('another-browser').request(url, { json, headers })
        if (classifyStatus(status) === 'accepted') {
          return broken(`A verdict ${what} was accepted.`, { actual: status })
        }
        if (status !== 401 && status !== 403) {
          return inconclusive(
            `The response was HTTP ${status}, which may not be about the API key.`,
          )
        }
      })
      const status = await pollSession(context, sessionCodeOf(login.page))
      expectEqual('status of the session afterwards', status, 'PENDING')
      return held(`All ${posts.length} verdicts without the API key were rejected.`)
    },
  },
  'O30-other-browser': {
    title: 'A login from one browser cannot finish in a different browser',
    level: 'practice',
    expectation: 'refuse',
    clauses: ['OpenID4VP 1.0, 14.2'],
    description:
      'Otherwise an attacker who sends their own link to a victim is logged in as the victim.',
    sends:
      "A login started in one browser and answered by the wallet; once its session is SUCCESS, its page's address, the one that the wallet got and continueAt of the target are opened in another browser, which has also polled the session, in a browser that has started another login, and with the cookies of that login; then with the cookies of the login that someone else could know: with values from the address of its page, its link, its session code, or another login.",
    decides:
      'No other browser gets a code or HTTP 500. Its own browser gets the code afterwards, at the address that the wallet got, if any.',
    fix: 'Bind the login to a cookie with a random value, which only the authorization endpoint sets. Return the code only to a browser with this cookie.',
    needs: ['wallet-login'],
    async run(context) {
      const login = await context.beginLogin()
      const { redirectUri } = await context.present(login)
      // Before the verdict there is nothing to steal.
      const status = await awaitSessionEnd(context, sessionCodeOf(login.page))
      if (status !== 'SUCCESS')
        return inconclusive(`The session is ${status}, so there is no code.`)
      const continued = continuedAt(context.target, login.page)
      const addresses = [login.page.url, redirectUri, continued].filter(
        (each) => each !== undefined,
      )
      const find = async ({
        get,
      }: {
        get(url: string): Promise<{ status: number; url: string }>
      }) => {
        for (const address of addresses) {
          const { status: reached, url } = await get(address)
          const hasCode = codeAt({ status: reached, url }) !== null
          if (hasCode || reached === 500) return { hasCode, address }
        }
        return undefined
      }
      // Another browser may also have started a login, and send its cookies everywhere.
      const findInOthers = async () => {
        const other = await context.beginLogin()
        const ofOther = () => other.browser.cookiesFor(other.page.url)
        return (
          (await find(other.browser)) ??
          (await find(withCookies(context, ofOther))) ??
          (await find(withCookies(context, knownCookies(login, other))))
        )
      }
      const stranger = context.createBrowser()
      await stranger.get(statusAddress(context, sessionCodeOf(login.page)))
      const found = (await find(stranger)) ?? (await findInOthers())
      if (found !== undefined) {
        const reason = found.hasCode ? 'got the code' : `got HTTP 500 at ${found.address}`
        return broken(`Another browser ${reason}.`, { verdictSource: 'redirect' })
      }
      const opened = redirectUri === undefined ? undefined : await login.browser.get(redirectUri)
      if (opened && codeAt(opened) !== null) return held('Only its own browser got the code.')
      const back = await context.awaitReturn(login, redirectUri)
      if (back?.searchParams.get('code') == null) {
        return inconclusive('The browser that started the login did not get a code either.')
      }
      return opened === undefined
        ? held('Only its own browser got the code.')
        : broken('The address that the wallet got does not continue the login in its browser.', {
            verdictSource: 'redirect',
            actual: opened.status,
          })
    },
  },
  'O32-poll-session': {
    title: 'A session is PENDING, then SUCCESS',
    level: 'spec',
    expectation: 'accept',
    control: 'login',
    rows: [
      '1.endpoints/credential-idp.8',
      '1.resources-and-their-fields/verification-session.1',
      '1.resources-and-their-fields/verification-session.2',
      '1.states-and-transitions.7',
    ],
    description: 'The login page depends on it.',
    sends:
      'A login is started, polled, answered, and polled ten more times, before and after the browser gets the code. Then its page is opened again. Others are answered with an expired credential and with one whose kid is a did:web, and their pages are opened again. Then another login is started in the same browser.',
    decides:
      'status is PENDING before the wallet has answered and SUCCESS afterwards, until the session is unknown. A session that stays PENDING is wrong if the browser still gets a code. A session that does not become FAILED although an invalid credential was answered with 200, a page that still shows the request of a FAILED session, another status after the browser has its code, another code for a finished login, no page for another login after a FAILED session, additional members, and a response that may be cached, are warnings.',
    fix: 'Return only status from GET /idp/api/auth/requests: PENDING until the verdict arrives, then SUCCESS after a valid presentation, and FAILED after an invalid one. Never add the code or an address with it: the endpoint is public.',
    needs: ['wallet-login'],
    async run(context) {
      const login = await context.beginLogin()
      const session = sessionCodeOf(login.page)
      const more = new Set<string>()
      const poll = async () => {
        const { status, ...others } = requireJson(await requestStatus(context, session), 'Polling')
        for (const name of Object.keys(others)) more.add(name)
        return status
      }
      expectEqual('status before', await poll(), 'PENDING')
      const { headers } = await requestStatus(context, session)
      const cached = headers.get('cache-control') ?? 'none'
      const { redirectUri } = await context.present(login)
      const first = await poll()
      let returned: URL | undefined
      if (first !== 'SUCCESS') {
        expectEqual('status after', first, 'PENDING')
        // The verdict may follow the answer: the browser also shows that the login is finished.
        returned = await context.awaitReturn(login, redirectUri)
        const last = await asPremise('polling a finished session', poll())
        const observed = `The session is ${last} after a valid presentation`
        if (last === 'PENDING' && !returned?.searchParams.has('code')) {
          return inconclusive(`${observed}, and the browser has no code either.`, { verdictSource })
        }
        if (last !== 'SUCCESS') {
          return broken(`${observed}, expected SUCCESS.`, { verdictSource, actual: last })
        }
      }
      const change = await findLaterChange(context, login, { redirectUri, returned })
      if (change) return change
      for (const name of ['expired', 'kid-of-another-method']) {
        const failure = await findWrongFailure(context, requireDefect(name))
        if (failure) return failure
      }
      return findPublicStatus([...more], cached)
    },
  },
  'O90-old-session': {
    title: 'A session that no wallet answers keeps a documented status',
    level: 'spec',
    expectation: 'accept',
    needs: ['wallet-login', 'clock'],
    rows: ['1.endpoints/credential-idp.8', '1.resources-and-their-fields/verification-session.2'],
    description: 'The script of a page that gets an unknown status waits forever.',
    sends:
      'A login is started, and its session is polled before and after the clock of the IDP is moved ahead by a day.',
    decides: 'The status is PENDING or FAILED, or the session is unknown after a day.',
    fix: 'Return FAILED for a session past its lifetime, or 404 once you have deleted it. Do not add a status such as EXPIRED.',
    async run(context) {
      const { page } = await context.beginLogin()
      const session = sessionCodeOf(page)
      await asPremise('polling a new session (see O32)', pollSession(context, session))
      await context.advanceClock(86_400)
      const answer = await requestStatus(context, session).finally(context.resetClock)
      if (classifyStatus(answer.status) === 'refused') return held('The session is gone.')
      const { status } = requireJson(answer, 'Polling a session after a day')
      const isDocumented = unanswered.includes(status)
      expectTrue('the status after a day is documented', isDocumented, status)
      return held(`The session is ${status} after a day.`, { verdictSource })
    },
  },
})

/** The statuses of a session that no wallet has answered. */
const unanswered: readonly unknown[] = ['PENDING', 'FAILED']

/** A browser with these cookies, which it may not have received. */
function withCookies({ httpAs }: IdpContext, cookiesFor: (url: string) => string) {
  const get = async (url: string, redirects = 5): Promise<{ status: number; url: string }> => {
    const headers = { cookie: cookiesFor(url) }
    const answer = await httpAs('another-browser').request(url, { headers })
    const location = answer.headers.get('location')
    const next = location === null ? null : URL.parse(location, url)
    if (next?.searchParams.has('code')) return { status: 0, url: next.href }
    const isFollowed = next?.origin === new URL(url).origin && redirects > 0
    return isFollowed ? get(next.href, redirects - 1) : { status: answer.status, url }
  }
  return { get }
}

/**
 * The cookies of a login whose values someone else could know. A field of its page is not known: a
 * cookie may be compared with one.
 */
const knownCookies =
  ({ browser, page, link }: BegunLogin, other: BegunLogin) =>
  (url: string): string => {
    const ofOther = other.browser.cookiesFor(other.page.url)
    const known = [page.url, link, sessionCodeOf(page), ofOther]
    const isKnown = (pair: string) => {
      const value = pair.slice(pair.indexOf('=') + 1)
      return known.some((text) => text.includes(value))
    }
    return browser.cookiesFor(url).split('; ').filter(isKnown).join('; ')
  }

const polls = 5

/**
 * What changes after a login has succeeded: its session has another status, or its addresses give
 * another code. Undefined if nothing does.
 */
async function findLaterChange(
  context: IdpContext,
  login: BegunLogin,
  { redirectUri, returned }: { redirectUri: string | undefined; returned: URL | undefined },
): Promise<Finding | undefined> {
  const session = sessionCodeOf(login.page)
  const findOtherStatus = async (level?: CheckLevel) => {
    for (let poll = 0; poll < polls; poll++) {
      const { status, json } = await requestStatus(context, session)
      if (status === 500) {
        return inconclusive('Polling a finished session returned HTTP 500.', outageOf(status))
      }
      // The session may be gone, and an IDP may limit how often it is polled.
      if (status !== 200) return undefined
      const { status: actual } = { ...(json as { status?: unknown } | undefined) }
      const reason = `The session is ${actual} after it was SUCCESS.`
      if (actual !== 'SUCCESS') {
        return broken(reason, { verdictSource, actual, ...(level && { level }) })
      }
    }
    return undefined
  }
  const before = await findOtherStatus()
  if (before) return before
  const { browser, page, url } = login
  const back = returned ?? (await context.awaitReturn(login, redirectUri))
  const code = back?.searchParams.get('code')
  if (!code) return undefined
  // The profile does not say how long a session is kept.
  const after = await findOtherStatus('practice')
  if (after) return after
  for (const address of [page.url, ...(redirectUri === undefined ? [] : [redirectUri])]) {
    const other = codeAt(await browser.get(address))
    if (other === null || other === code) continue
    // A browser that stays logged in gets a code for each request.
    if (codeAt(await browser.get(url)) !== null) return undefined
    const reason = 'The page of a finished login gives another code.'
    return broken(reason, { verdictSource: 'redirect', level: 'practice' })
  }
  return undefined
}

/** What is wrong with a session that a credential with a defect must end, and with its page. */
async function findWrongFailure(
  context: IdpContext,
  defect: ReturnType<typeof requireDefect>,
): Promise<Finding | undefined> {
  const login = await context.beginLogin()
  const { status } = await context.present(login, { defect })
  if (status !== 200) return undefined
  const actual = await awaitSessionEnd(context, sessionCodeOf(login.page))
  // Other checks are about sessions that succeed.
  if (actual === 'SUCCESS') return undefined
  if (actual !== 'FAILED') {
    // The profile does not say how soon.
    const details = { verdictSource, expected: 'FAILED', actual, level: 'practice' } as const
    return broken(`The session is ${actual} after a credential with ${defect.name}.`, details)
  }
  const page = await login.browser.get(login.page.url)
  if (findLinkOfPage(page) === login.link) {
    return broken('The page of a FAILED session still shows its request.', { level: 'practice' })
  }
  if (findLinkOfPage(login.page) === undefined) return undefined
  const next = await context.authorizationUrl({ parameters: { state: 's', nonce: 'n' } })
  const opened = await login.browser.get(next.href)
  const isAnswer = ['accepted', 'refused'].includes(classifyStatus(opened.status))
  return isAnswer && findLinkOfPage(opened) === undefined
    ? broken('After a FAILED session no login starts in its browser.', { level: 'practice' })
    : undefined
}

/** The finding about a session that succeeded: its status is public, and changes at any time. */
function findPublicStatus(more: readonly string[], cached: string): Finding {
  if (more.length > 0) {
    const actual = more
    return broken('The status contains more than the profile says.', { actual, level: 'practice' })
  }
  return /\b(no-store|no-cache)\b/.test(cached)
    ? held('The session went from PENDING to SUCCESS.')
    : broken('The status may be cached.', { actual: cached, level: 'practice' })
}
