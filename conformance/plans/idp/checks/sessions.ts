import { expectEqual } from '#scenarios/harness/expectations.ts'
import { broken, defineChecks, held, inconclusive } from '../../../kit/check.ts'
import { asPremise, classifyStatus, findRefusal } from '../../../kit/classify-answer.ts'
import { requireDefect } from '../../../world/defects/create-credential-with-defect.ts'
import type { IdpContext } from '../context.ts'
import { awaitSessionEnd, pollSession, sessionCodeOf, sessionNamesOf } from '../sessions.ts'

const verdictSource = 'status of the session'

/** The sessions that a wallet decides. */
export const checks = defineChecks<IdpContext>({
  'O16-unknown-session': {
    title: 'Polling an unknown session tells nothing of any',
    level: 'practice',
    expectation: 'refuse',
    description:
      'The endpoint is open to everybody: it must say nothing that helps to guess sessions.',
    sends: 'GET /idp/api/auth/requests with a session code that nobody was given, and without one.',
    decides: 'Both answers are refusals, while polling a session that there is is none.',
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
      // Who tells of no session at all has kept nothing to himself.
      const session = sessionCodeOf(page)
      const { status } = await http.request(`${url}?${new URLSearchParams({ session })}`)
      return status === 200
        ? finding
        : inconclusive(`${finding.reason}, but so was polling a session that there is: ${status}.`)
    },
  },
  'O19-bad-credential': {
    title: 'A credential that breaks a rule gives no login',
    level: 'spec',
    expectation: 'refuse',
    control: 'login',
    rows: ['1.errors.10', '1.resources-and-their-fields/verification-session.2'],
    description: 'The reason why there is a credential at all.',
    sends: 'A login answered with a credential that has expired.',
    decides:
      'The session ends as FAILED, and the browser gets no code, while a good credential gives a login. A session that stays PENDING decides nothing.',
    async run(context) {
      const login = await context.beginLogin()
      const session = sessionCodeOf(login.page)
      const answer = await context.present(login, { defect: requireDefect('expired') })
      const kind = classifyStatus(answer.status)
      if (answer.status === 0 || (kind !== 'accepted' && kind !== 'refused')) {
        return inconclusive(`The presentation was not judged. ${answer.reason}`)
      }
      const status = await awaitSessionEnd(context, session)
      const { status: http, url } = await login.browser.get(login.page.url)
      if (http === 0 && new URL(url).searchParams.has('code')) {
        return broken('An expired credential was given a code.', { verdictSource: 'redirect' })
      }
      if (status === 'PENDING') {
        return inconclusive(`The session stayed PENDING. ${answer.reason}`, { verdictSource })
      }
      return status === 'FAILED'
        ? held('The login failed, and no code was given.', { verdictSource })
        : broken(`The session is ${status}, expected FAILED.`, { verdictSource, actual: status })
    },
  },
  'O29-forged-verdict': {
    title: 'Integration endpoints take nothing without the API key',
    level: 'spec',
    expectation: 'refuse',
    rows: ['1.authentication.3'],
    description: 'Whoever could tell the IDP that a presentation was good could log in as anybody.',
    sends:
      'A login is begun, and a verdict is posted without an API key to each of the integration endpoints of the target, under every name of its session that its link gives away.',
    decides:
      'Each is answered 401 or 403, and the session stays PENDING. Another refusal may be about the body, and decides nothing.',
    needs: ['internal-endpoints'],
    async run(context) {
      const login = await context.beginLogin()
      const names = await sessionNamesOf(context, login)
      const { internalEndpoints = [] } = context.target
      const posts = internalEndpoints.flatMap((url) =>
        names.map((session_id) => ({ url, session_id })),
      )
      for (const { url, session_id } of posts) {
        const json = { session_id, status: 'SUCCESS', credential: {} }
        const { status } = await context.httpAs('stranger').request(url, { json })
        if (classifyStatus(status) === 'accepted') {
          return broken('A verdict without an API key was taken.', { actual: status })
        }
        if (status !== 401 && status !== 403) {
          return inconclusive(`It met HTTP ${status}, which need not be about the API key.`)
        }
      }
      const status = await pollSession(context, sessionCodeOf(login.page))
      expectEqual('status of the session after it', status, 'PENDING')
      return held(`All ${posts.length} verdicts without an API key were refused.`)
    },
  },
  'O30-other-browser': {
    title: 'A login that one browser began does not finish in another',
    level: 'practice',
    expectation: 'refuse',
    clauses: ['OpenID4VP 1.0, 14.2'],
    description: 'Otherwise whoever sends his link to a victim has the victim log him in.',
    sends:
      "A login begun in one browser and answered by the wallet; once its session is SUCCESS, its page's address is opened in another browser.",
    decides: 'The other browser gets no code, and its own browser gets it afterwards.',
    async run(context) {
      const login = await context.beginLogin()
      const { redirectUri } = await context.present(login)
      // Before there is a verdict nobody has anything to steal.
      const status = await awaitSessionEnd(context, sessionCodeOf(login.page))
      if (status !== 'SUCCESS')
        return inconclusive(`The session is ${status}, so there is no code.`)
      const other = await context.createBrowser().get(login.page.url)
      if (other.status === 0 && new URL(other.url).searchParams.has('code')) {
        return broken('Another browser was given the code.', { verdictSource: 'redirect' })
      }
      const back = await context.awaitReturn(login, redirectUri)
      return back?.searchParams.has('code')
        ? held('The other browser got nothing, its own browser the code.')
        : inconclusive('The browser that began the login got no code either.')
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
    ],
    description: 'The page of the login lives by it.',
    sends: 'A login is begun, polled, answered, and polled again.',
    decides:
      'status is PENDING before and SUCCESS after the wallet has answered. A session that stays PENDING is wrong where the browser gets a code all the same.',
    async run(context) {
      const login = await context.beginLogin()
      const session = sessionCodeOf(login.page)
      expectEqual('status before', await pollSession(context, session), 'PENDING')
      const { redirectUri } = await context.present(login)
      const first = await pollSession(context, session)
      if (first === 'SUCCESS') return held('The session went from PENDING to SUCCESS.')
      expectEqual('status after', first, 'PENDING')
      // Whoever judges later than it answers: that the login is over shows in the browser too.
      const back = await context.awaitReturn(login, redirectUri)
      const last = await asPremise('Polling a finished session', pollSession(context, session))
      if (last === 'SUCCESS') return held('The session went from PENDING to SUCCESS.')
      const told = `The session is ${last} after a good presentation`
      return last === 'PENDING' && !back?.searchParams.has('code')
        ? inconclusive(`${told}, and the browser has no code either.`, { verdictSource })
        : broken(`${told}, expected SUCCESS.`, { verdictSource, actual: last })
    },
  },
})
