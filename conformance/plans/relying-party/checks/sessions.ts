import { broken, defineChecks, type Finding, held, inconclusive } from '../../../kit/check.ts'
import { asPremise } from '../../../kit/classify-answer.ts'
import { findEach } from '../../../kit/find-each.ts'
import { decodePageText } from '../../../kit/read-pages.ts'
import type { EndedLogin, RelyingPartyContext } from '../context.ts'
import { findAcceptance, requireShown, verdictSource } from '../findings.ts'

/** What the browser has after a login, and what it may show. */
export const checks = defineChecks<RelyingPartyContext>({
  'R60-new-session': {
    title: 'A login begins a new session',
    level: 'practice',
    expectation: 'refuse',
    control: 'login',
    needs: ['user-page'],
    clauses: ['CWE-384, Session Fixation'],
    description:
      'An attacker gives a user a session that they know, waits for the login, and is logged in as the user (session fixation).',
    sends:
      'The cookies of the browser are noted before the login at the provider. After the login, another browser requests userPage with them.',
    decides: 'userPage does not show the user.',
    fix: 'Create a new session id when the login succeeds, and end the old session: for example with regenerate or cycle_key of your framework.',
    async run(context) {
      const begun = await context.begin()
      const userPage = context.target.userPage ?? ''
      const before = begun.browser.cookiesFor(userPage)
      const ended = await context.finish(begun)
      requireShown(context, ended)
      const stolen = await showUserPage(context, ended, before)
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
    needs: ['user-page'],
    clauses: ['RFC 6265, 4.1.2.6'],
    description:
      'Scripts can read a cookie without HttpOnly. One with SameSite=None is sent with the forms of other sites.',
    sends: 'A login. Then userPage, without one of the cookies each.',
    decides:
      'The cookies without which userPage does not show the user have HttpOnly, not SameSite=None, and Secure if userPage is an https address.',
    fix: 'Set the session cookie with HttpOnly and SameSite=Lax, and with Secure at an https address.',
    async run(context) {
      const ended = await context.logIn()
      requireShown(context, ended)
      const userPage = context.target.userPage ?? ''
      const cookies = ended.browser.cookiesFor(userPage).split('; ')
      const needed: string[] = []
      for (const cookie of cookies) {
        const rest = cookies.filter((each) => each !== cookie).join('; ')
        if (!(await showUserPage(context, ended, rest))) needed.push(cookie)
      }
      if (needed.length === 0) {
        return inconclusive('userPage shows the user without a single one of the cookies.')
      }
      return findEach(needed, async (cookie) =>
        findAttributes(cookie, ended.browser.setCookies, userPage.startsWith('https:')),
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
})

/** Whether userPage shows the user of a login to a client with these cookies. */
async function showUserPage(
  context: RelyingPartyContext,
  ended: EndedLogin,
  cookie: string,
): Promise<boolean> {
  const url = context.target.userPage ?? ''
  const http = context.httpAs('browser')
  const headers: Record<string, string> = cookie === '' ? {} : { cookie }
  const {
    status,
    text,
    headers: answered,
  } = await asPremise('userPage', http.request(url, { headers }))
  const page = { url, status, text, headers: answered, visited: [url] }
  return context.shows({ ...ended, page, userPage: undefined })
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
    ended.map(async (each) => ({ ...each, page: await each.browser.get(userPage) })),
  )
}

const isOfAnother = (
  { shows }: RelyingPartyContext,
  ended: EndedLogin,
  all: readonly EndedLogin[],
): boolean => all.some(({ user }) => user !== ended.user && shows(ended, user))
