import {
  broken,
  defineChecks,
  endCheck,
  type Finding,
  held,
  inconclusive,
  wronglyAccepted,
} from '../../../kit/check.ts'
import { asPremise, requireFinding } from '../../../kit/classify-answer.ts'
import { dueCases, findEach } from '../../../kit/find-each.ts'
import { findGuessable } from '../../../kit/guessable-values.ts'
import { swapCase } from '../../../kit/near-misses.ts'
import { decodePageText } from '../../../kit/read-pages.ts'
import type { EndedLogin, RelyingPartyContext } from '../context.ts'
import { containsMarkup, findAcceptance, markup, requireShown, verdictSource } from '../findings.ts'
import { createUser, json, type User } from '../provider.ts'
import { rejections } from './provider-answers.ts'
import { decodeFormValue } from './requests.ts'

/** What the browser has after a login, and what it may show. */
export const checks = defineChecks<RelyingPartyContext>({
  'R60-new-session': {
    title: 'A login begins a new session',
    level: 'practice',
    expectation: 'refuse',
    control: 'login',
    clauses: ['CWE-384, Session Fixation'],
    description:
      'An attacker gives a user a session that they know, waits for the login, and is logged in as the user (session fixation).',
    sends:
      'The cookies of the browser are noted before the login at the provider. After the login, another browser requests the page that shows the user with them.',
    decides: 'The page does not show the user.',
    fix: 'Create a new session id when the login succeeds, and end the old session: for example with regenerate or cycle_key of your framework.',
    async run(context) {
      const { url } = await requireUserPage(context)
      const begun = await context.begin()
      const before = begun.browser.cookiesFor(url)
      const ended = await context.finish(begun)
      requireShown(context, ended)
      const stolen = await showPage(context, ended, { url, cookie: before })
      return stolen
        ? broken('The cookies from before the login show the user.', { verdictSource })
        : held('The cookies from before the login do not show the user.', { verdictSource })
    },
  },
  'R61-session-cookie': {
    title: 'The session cookie cannot be guessed or read by scripts, nor sent by other sites',
    level: 'practice',
    expectation: 'advice',
    control: 'login',
    clauses: ['RFC 6265, 4.1.2.6'],
    description:
      'Scripts can read a cookie without HttpOnly. A cookie with SameSite=None is sent with the forms of other sites. An attacker who guesses a cookie is logged in.',
    sends:
      'A login. Then the page that shows the user, without one of the cookies each. Then a second login.',
    decides:
      'The cookies without which the page does not show the user have HttpOnly, not SameSite=None, and Secure at an https address. About 60 bits vary in one of them.',
    fix: 'Set the session cookie with HttpOnly and SameSite=Lax, and with Secure at an https address. Its value must be random, of at least 128 bits, or encrypted.',
    async run(context) {
      const { ended, url } = await requireUserPage(context)
      const cookies = ended.browser.cookiesFor(url).split('; ')
      const needed: string[] = []
      for (const left of cookies) {
        const cookie = cookies.filter((each) => each !== left).join('; ')
        if (!(await showPage(context, ended, { url, cookie }))) needed.push(left)
      }
      if (needed.length === 0) {
        return inconclusive('The page shows the user without a single one of the cookies.')
      }
      const found = await findEach(needed, async (cookie) =>
        findAttributes(cookie, ended.browser.setCookies, url.startsWith('https:')),
      )
      if (found.kind !== 'held') return found
      const { browser } = await context.logIn()
      return findGuessableSession(needed, browser.cookiesFor(url).split('; '))
    },
  },
  'R62-logins-at-the-same-time': {
    title: 'Logins do not mix their users',
    level: 'practice',
    expectation: 'accept',
    clauses: ['RFC 6749, 10.12'],
    description:
      'An application that keeps the last login in one place gives the user of one browser the session of another.',
    sends:
      'Two logins of two browsers that overlap, ended in the order of their start, and two in the other order. A login, and then that of another user in the same browser.',
    decides:
      'Each browser shows its own user, and after the second login in it not the first one. An application may ignore a login while a user is logged in.',
    fix: 'Keep state, nonce and code_verifier of each login separately, by browser and state. Keep who is logged in by session only, and replace all of it at a login.',
    run: (context) =>
      findEach([findOverlap(false), findOverlap(true), findSecondUser], (find) => find(context)),
  },
  'R63-secrets-on-pages': {
    title: 'No page contains the access token or the client secret',
    level: 'practice',
    expectation: 'advice',
    control: 'login',
    clauses: ['RFC 9700, 4.3.2'],
    description:
      'Pages and addresses are in histories, logs and screenshots, and every script of a page can read them, and cookies without HttpOnly.',
    sends: 'A login, and logins that fail in different ways.',
    decides:
      'The addresses, the last page and the cookies without HttpOnly contain neither the access token, the refresh token, the ID token nor the client secret.',
    fix: 'Keep tokens and the client secret on the server. Give the browser only a session cookie. Do not show the details of an error.',
    async run(context) {
      requireShown(context, await context.logIn())
      const valid = { what: 'A valid login', script: {} }
      return findEach([valid, ...rejections], async ({ what, script }) => {
        const ended = await context.logIn(script)
        const shown = secretsIn(ended, context.target.client.clientSecret)
        return shown.length > 0
          ? broken(`${what}: a page, its address or a cookie shows ${shown.join(' and ')}.`, {
              verdictSource,
            })
          : held(`${what} shows no token and no secret.`, { verdictSource })
      })
    },
  },
  'R64-markup-in-claims': {
    title: 'Markup in the claims of a user is not part of the page',
    level: 'practice',
    expectation: 'refuse',
    control: 'login',
    clauses: ['CWE-79, Cross-site Scripting'],
    description:
      'Names come from the issuer of a credential. As markup they run as a script of the application, for everyone who sees the user.',
    sends:
      'Logins of a user whose name, given_name, family_name, email or organization contains markup.',
    decides: 'The pages, if they are HTML, do not contain the markup as such.',
    fix: 'Escape each claim in HTML, with quotes in attributes, as the templates of your framework do by default.',
    run: (context) =>
      findEach(
        dueCases(context, ['name', 'given_name', 'family_name', 'email', 'organization']),
        async (claim) => {
          const claims = { [claim]: `Kim ${markup}` }
          const { page, userPage } = await context.logIn({
            idToken: () => ({ claims }),
            userinfo: (valid) => json({ ...valid, ...claims }),
          })
          return [page, ...(userPage ? [userPage] : [])].some(containsMarkup)
            ? broken(`A page contains the markup in ${claim}.`, { verdictSource })
            : held(`No page contains the markup in ${claim}.`, { verdictSource })
        },
      ),
  },
  'R65-same-email': {
    title: 'Users with the same email or a similar sub are different users',
    level: 'practice',
    expectation: 'refuse',
    control: 'login',
    rows: ['1.resources-and-their-fields/idp-id-token-claims.1'],
    clauses: ['OpenID Connect Core 1.0, 5.7'],
    description:
      'Email is what the issuer wrote, without verification. An application that finds its accounts by email lets another person in.',
    sends:
      'Two logins each of two users: with the same email, with a sub that differs only in upper and lower case, and with subs of 255 characters that differ in the last one.',
    decides: 'After the second login, no page shows what only the first user has.',
    fix: 'Identify users by iss and sub. Compare sub as a whole, with case: check the collation and the length of its column. Do not use email to find an account.',
    run: (context) =>
      findEach(dueCases(context, similarUsers), async ({ what, shared, of = () => ({}), like }) => {
        const first = await context.logIn({ user: of() })
        requireShown(context, first)
        const second = await context.logIn({ user: like(first.user) })
        // What both have shows neither.
        const shows = (user: User, other: User) => context.shows(second, onlyOf(user, other))
        if (shows(first.user, second.user)) {
          const reason = `A user with ${what} was logged in as the first one.`
          return wronglyAccepted(reason, { verdictSource })
        }
        return shows(second.user, first.user) || !context.shows(second)
          ? held(`A user with ${what} was not logged in as the first one.`, { verdictSource })
          : inconclusive(`The page shows only the ${shared}: show the name as well.`)
      }),
  },
  'R67-changed-cookie': {
    title: 'A cookie in which the user was changed does not log another user in',
    level: 'practice',
    expectation: 'refuse',
    control: 'login',
    clauses: ['CWE-565, Reliance on Cookies without Validation and Integrity Checking'],
    description:
      'A browser can send any cookie. If it contains the user without a signature, everyone can write the one of another user.',
    sends:
      'A login. Then the page that shows the user, with cookies in which sub, name and email are those of another user, also in base64 and in the parts of a JWT. The signature is not changed.',
    decides: 'The page does not show the other user. Cookies that do not contain the user pass.',
    fix: 'Keep the user on the server, by a random session id in the cookie, or verify the signature of the cookie before you read it.',
    async run(context) {
      const { ended, url } = await requireUserPage(context)
      const cookies = ended.browser.cookiesFor(url).split('; ')
      const user = createUser()
      const changed = cookies.flatMap((each, index) =>
        changeUser(each, ended.user, user).map((other) => cookies.with(index, other).join('; ')),
      )
      for (const cookie of changed) {
        if (await showPage(context, { ...ended, user }, { url, cookie })) {
          const reason = 'The page shows another user after the kit had changed a cookie.'
          return wronglyAccepted(reason, { verdictSource })
        }
      }
      return held('No changed cookie shows another user.', { verdictSource })
    },
  },
})

/** A cookie with the values of another user, in each encoding in which it contains those of the user. */
function changeUser(cookie: string, from: User, to: User): readonly string[] {
  const [name = '', ...rest] = cookie.split('=')
  const value = decodeFormValue(rest.join('='))
  const replace = (text: string) =>
    (['sub', 'email', 'name', 'family_name'] as const).reduce(
      (changed, member) => changed.replaceAll(from[member], to[member]),
      text,
    )
  const parts = value.split('.').map((part) => {
    const text = Buffer.from(part, 'base64').toString()
    const encoding = /[+/=]/.test(part) ? 'base64' : 'base64url'
    return text === replace(text) ? part : Buffer.from(replace(text)).toString(encoding)
  })
  return [replace(value), parts.join('.')]
    .filter((changed) => changed !== value)
    .map((changed) => `${name}=${encodeURIComponent(changed)}`)
}

/** Pairs of users that a careless application takes for one. */
const similarUsers: readonly {
  readonly what: string
  readonly shared: 'email' | 'sub'
  readonly of?: () => Partial<User>
  readonly like: (first: User) => Partial<User>
}[] = [
  { what: 'the same email', shared: 'email', like: ({ email }) => ({ email }) },
  { what: 'a sub in the other case', shared: 'sub', like: ({ sub }) => ({ sub: swapCase(sub) }) },
  {
    what: 'a long sub that differs at its end',
    shared: 'sub',
    of: () => ({ sub: createUser().sub.padEnd(255, 'a') }),
    like: ({ sub }) => ({ sub: `${sub.slice(0, -1)}b` }),
  },
]

/** A user with only those values that another one does not have. */
function onlyOf(user: User, other: User): User {
  const others = Object.values(other).map((value) => value.toLowerCase())
  const own = (['sub', 'email', 'family_name'] as const).filter(
    (name) => !others.includes(user[name].toLowerCase()),
  )
  const [shown = 'sub'] = own
  const value = (name: (typeof own)[number]) => user[own.includes(name) ? name : shown]
  return { ...user, sub: value('sub'), email: value('email'), family_name: value('family_name') }
}

/**
 * A login, and a page that shows its user to this browser again: userPage, or the page at which the
 * login ended. Without one the check is inconclusive.
 */
async function requireUserPage(
  context: RelyingPartyContext,
): Promise<{ readonly ended: EndedLogin; readonly url: string }> {
  const ended = await context.logIn()
  requireShown(context, ended)
  const { userPage, client } = context.target
  const url = userPage ?? ended.page.url
  const isRedirectUri = userPage === undefined && url.split('?')[0] === client.redirectUri
  if (!isRedirectUri) {
    const cookie = ended.browser.cookiesFor(url)
    if (await showPage(context, ended, { url, cookie })) return { ended, url }
  }
  const advice = userPage === undefined ? 'add userPage to the target' : 'correct userPage'
  endCheck(inconclusive(`It needs a page that shows who is logged in: ${advice}.`))
}

/** Whether a page shows the user of a login to a client with these cookies. */
async function showPage(
  { httpAs, shows }: RelyingPartyContext,
  ended: EndedLogin,
  { url, cookie }: { readonly url: string; readonly cookie: string },
): Promise<boolean> {
  const headers = { accept: 'text/html,*/*', ...(cookie !== '' && { cookie }) }
  const answer = await asPremise('userPage', httpAs('browser').request(url, { headers }))
  return shows({ ...ended, page: { ...answer, visited: [url] }, userPage: undefined })
}

const nameOf = (cookie: string): string => cookie.split('=')[0] ?? ''

/** Whether all cookies that a session needs are similar in another session. */
function findGuessableSession(needed: readonly string[], others: readonly string[]): Finding {
  const findings = needed.flatMap((cookie) => {
    const other = others.find((each) => nameOf(each) === nameOf(cookie))
    const details = { verdictSource: 'the cookies of two logins', fewestBits: 60 }
    return other ? findGuessable(`the cookie ${nameOf(cookie)}`, [cookie, other], details) : []
  })
  return (
    findings.find(({ kind }) => kind === 'held') ??
    findings[0] ??
    held('Each login has cookies with other names.')
  )
}

function findAttributes(cookie: string, setCookies: readonly string[], isSecure: boolean): Finding {
  const name = nameOf(cookie)
  const header = setCookies.findLast((each) => `${each};`.startsWith(`${cookie};`)) ?? ''
  const attributes = header.toLowerCase().split(/; */)
  const details = { verdictSource: 'the header Set-Cookie', actual: attributes.slice(1).join('; ') }
  const isMissing = (attribute: string) => !attributes.includes(attribute)
  if (isMissing('httponly')) return broken(`The cookie ${name} has no HttpOnly.`, details)
  if (isSecure && isMissing('secure')) return broken(`The cookie ${name} has no Secure.`, details)
  return attributes.includes('samesite=none')
    ? broken(`The cookie ${name} has SameSite=None.`, details)
    : held(`The cookie ${name} has HttpOnly.`, details)
}

/** What only the server may have, and the browser was shown. */
function secretsIn(
  { page, userPage, browser, accessToken, tokens }: EndedLogin,
  clientSecret: string,
): readonly string[] {
  const secrets = {
    'the access token': accessToken,
    'the refresh token': tokens?.refresh_token,
    'the ID token': tokens?.id_token,
    'the client secret': clientSecret,
  }
  const readable = browser.setCookies.filter((each) => !/; *httponly/i.test(each))
  const seen = [page, userPage, ...readable]
    .flatMap((each) => (typeof each === 'object' ? [...each.visited, each.text] : each))
    .map((each) => decodePageText(each ?? ''))
  return Object.entries(secrets)
    .filter(([, secret]) => secret && seen.some((each) => each.includes(String(secret))))
    .map(([what]) => what)
}

/** Two logins at the same time, ended in the order of their start or in the other one. */
const findOverlap =
  (isReversed: boolean) =>
  async (context: RelyingPartyContext): Promise<Finding> => {
    const begun = [await context.begin(), await context.begin()]
    const ended = await finishAll(context, isReversed ? begun.reverse() : begun)
    const [mixed] = ended.filter((each) => isOfAnother(context, each, ended))
    if (mixed) return broken('A browser shows the user of another one.', { verdictSource })
    return findEach(ended, async (each) =>
      findAcceptance(context, 'A login at the same time', each),
    )
  }

/** A second user in the browser of the first one. */
async function findSecondUser(context: RelyingPartyContext): Promise<Finding> {
  const first = await context.logIn()
  requireShown(context, first)
  const begun = await context.openLogin(first.browser).catch((error) => void requireFinding(error))
  const ended = begun && (await context.finish(begun))
  return ended?.tokenRequests.length && context.shows(ended, first.user)
    ? broken('After the login of a second user in a browser, a page shows the first one.', {
        verdictSource,
      })
    : held('A browser shows only the user who logged in last.', { verdictSource })
}

/** Ends logins one after the other, then looks at the pages of all of them. */
async function finishAll(
  { finish, target: { userPage } }: RelyingPartyContext,
  begun: readonly Parameters<RelyingPartyContext['finish']>[0][],
): Promise<readonly EndedLogin[]> {
  const ended: EndedLogin[] = []
  for (const each of begun) ended.push(await finish(each))
  if (userPage === undefined) return ended
  return Promise.all(
    ended.map(async (each) => ({ ...each, userPage: await each.browser.get(userPage) })),
  )
}

const isOfAnother = (
  { shows }: RelyingPartyContext,
  ended: EndedLogin,
  all: readonly EndedLogin[],
): boolean => all.some(({ user }) => user !== ended.user && shows(ended, user))
