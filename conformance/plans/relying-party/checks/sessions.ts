import {
  broken,
  defineChecks,
  endCheck,
  type Finding,
  held,
  inconclusive,
  wronglyAccepted,
} from '../../../kit/check.ts'
import { asPremise } from '../../../kit/classify-answer.ts'
import { dueCases, findEach } from '../../../kit/find-each.ts'
import { decodePageText } from '../../../kit/read-pages.ts'
import type { EndedLogin, RelyingPartyContext } from '../context.ts'
import { containsMarkup, findAcceptance, markup, requireShown, verdictSource } from '../findings.ts'
import { json, type User } from '../provider.ts'

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
    title: 'The session cookie has HttpOnly, and is not sent with foreign requests',
    level: 'practice',
    expectation: 'advice',
    control: 'login',
    clauses: ['RFC 6265, 4.1.2.6'],
    description:
      'Scripts can read a cookie without HttpOnly. One with SameSite=None is sent with the forms of other sites.',
    sends: 'A login. Then the page that shows the user, without one of the cookies each.',
    decides:
      'The cookies without which the page does not show the user have HttpOnly, not SameSite=None, and Secure at an https address.',
    fix: 'Set the session cookie with HttpOnly and SameSite=Lax, and with Secure at an https address.',
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
      return findEach(needed, async (cookie) =>
        findAttributes(cookie, ended.browser.setCookies, url.startsWith('https:')),
      )
    },
  },
  'R62-logins-at-the-same-time': {
    title: 'Logins at the same time do not mix their users',
    level: 'practice',
    expectation: 'accept',
    clauses: ['RFC 6749, 10.12'],
    description:
      'An application that keeps the last login in one place gives the user of one browser the session of another.',
    sends:
      'Two logins of two browsers that overlap, ended in the order of their start, and two in the other order.',
    decides: 'Each browser shows its own user.',
    fix: 'Keep state, nonce and code_verifier of each login separately, by browser and state. Keep who is logged in by session only.',
    run: (context) =>
      findEach([false, true], async (isReversed) => {
        const begun = [await context.begin(), await context.begin()]
        const ended = await finishAll(context, isReversed ? begun.reverse() : begun)
        const [mixed] = ended.filter((each) => isOfAnother(context, each, ended))
        if (mixed) return broken('A browser shows the user of another one.', { verdictSource })
        return findEach(ended, async (each) =>
          findAcceptance(context, 'A login at the same time', each),
        )
      }),
  },
  'R63-secrets-on-pages': {
    title: 'No page contains the access token or the client secret',
    level: 'practice',
    expectation: 'advice',
    control: 'login',
    clauses: ['RFC 9700, 4.3.2'],
    description:
      'Pages and addresses are in histories, logs and screenshots, and every script of a page can read them.',
    sends: 'A login.',
    decides:
      'The addresses and the last page contain neither the access token nor the client secret, and the last page not the ID token.',
    fix: 'Keep tokens and the client secret on the server. Give the browser only a session cookie.',
    async run(context) {
      const ended = await context.logIn()
      requireShown(context, ended)
      const pages = [ended.page, ...(ended.userPage ? [ended.userPage] : [])]
      const seen = pages
        .flatMap(({ visited, text }) => [...visited, decodePageText(text)])
        .join('\n')
      const secrets = {
        'the access token': ended.accessToken,
        'the client secret': context.target.client.clientSecret,
        'the ID token': String(ended.idToken),
      }
      return findEach(Object.entries(secrets), async ([what, secret]) =>
        seen.includes(secret)
          ? broken(`A page or its address contains ${what}.`, { verdictSource })
          : held(`No page contains ${what}.`, { verdictSource }),
      )
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
    title: 'Two users with the same email are different users',
    level: 'practice',
    expectation: 'refuse',
    control: 'login',
    rows: ['1.resources-and-their-fields/idp-id-token-claims.1'],
    clauses: ['OpenID Connect Core 1.0, 5.7'],
    description:
      'Email is what the issuer wrote, without verification. An application that finds its accounts by email lets another person in.',
    sends: 'A login, then a login of a user with the same email and another sub and name.',
    decides: 'After the second login, no page shows the sub or the name of the first user.',
    fix: 'Identify users by iss and sub. Do not use email to find an account.',
    async run(context) {
      const first = await context.logIn()
      requireShown(context, first)
      const { email } = first.user
      const second = await context.logIn({ user: { email } })
      // Without the email, which both have.
      const shows = (user: User) => context.shows(second, { ...user, email: user.sub })
      if (shows(first.user)) {
        const reason = 'A user with the same email was logged in as the first one.'
        return wronglyAccepted(reason, { verdictSource })
      }
      return shows(second.user) || !context.shows(second)
        ? held('The first user is not shown.', { verdictSource })
        : inconclusive('The page shows only the email: show the name or the sub as well.')
    },
  },
})

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

function findAttributes(cookie: string, setCookies: readonly string[], isSecure: boolean): Finding {
  const name = cookie.split('=')[0]
  const header = setCookies.findLast((each) => each.startsWith(`${cookie};`)) ?? ''
  const attributes = header.toLowerCase().split(/; */)
  const details = { verdictSource: 'the header Set-Cookie', actual: attributes.slice(1).join('; ') }
  const isMissing = (attribute: string) => !attributes.includes(attribute)
  if (isMissing('httponly')) return broken(`The cookie ${name} has no HttpOnly.`, details)
  if (isSecure && isMissing('secure')) return broken(`The cookie ${name} has no Secure.`, details)
  return attributes.includes('samesite=none')
    ? broken(`The cookie ${name} has SameSite=None.`, details)
    : held(`The cookie ${name} has HttpOnly.`, details)
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
