import { defineCheck } from '../../../define-check.ts'
import { broken, held } from '../../../finding.ts'
import type { IdpContext } from '../context.ts'

export const check = defineCheck<IdpContext>({
  id: 'O30',
  title: 'A login that one browser began does not finish in another',
  level: 'practice',
  expectation: 'refuse',
  clauses: ['OpenID4VP 1.0, 14.2'],
  description: 'Otherwise whoever sends his link to a victim has the victim log him in.',
  sends:
    "A login begun in one browser and answered by the wallet; its page's address is opened in another browser.",
  decides: 'The other browser gets no code.',
  async run({ beginLogin, present, createBrowser, awaitReturn }) {
    const login = await beginLogin()
    await present(login)
    const { status, url } = await createBrowser().get(login.page.url)
    if (status === 0 && new URL(url).searchParams.has('code')) {
      return broken('Another browser was given the code.')
    }
    const back = await awaitReturn(login)
    return back?.searchParams.has('code')
      ? held('The other browser got nothing, its own browser the code.')
      : broken('Not even the browser that began the login got a code.')
  },
})
