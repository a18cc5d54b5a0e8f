import { broken, defineCheck, held, inconclusive } from '../../../kit/check.ts'
import type { IdpContext } from '../context.ts'
import { awaitSessionEnd } from '../poll-session.ts'
import { sessionCodeOf } from '../session-code-of.ts'

export const check = defineCheck<IdpContext>({
  id: 'O30',
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
    if (status !== 'SUCCESS') return inconclusive(`The session is ${status}, so there is no code.`)
    const other = await context.createBrowser().get(login.page.url)
    if (other.status === 0 && new URL(other.url).searchParams.has('code')) {
      return broken('Another browser was given the code.', { verdictSource: 'redirect' })
    }
    const back = await context.awaitReturn(login, redirectUri)
    return back?.searchParams.has('code')
      ? held('The other browser got nothing, its own browser the code.')
      : inconclusive('The browser that began the login got no code either.')
  },
})
