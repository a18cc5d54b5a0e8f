import { expectEqual } from '#scenarios/harness/expectations.ts'
import { defineCheck } from '../../../define-check.ts'
import { broken, held } from '../../../finding.ts'
import type { IdpContext } from '../context.ts'
import { awaitSessionEnd } from '../poll-session.ts'
import { presentExpired } from '../present-expired.ts'
import { sessionCodeOf } from '../session-code-of.ts'

export const check = defineCheck<IdpContext>({
  id: 'O19',
  title: 'A credential that breaks a rule gives no login',
  level: 'spec',
  expectation: 'refuse',
  rows: ['1.errors.10', '1.resources-and-their-fields/verification-session.2'],
  description: 'The reason why there is a credential at all.',
  sends: 'A login answered with a credential that has expired.',
  decides: 'The session ends as FAILED, and the browser never gets a code.',
  async run(context) {
    const login = await context.beginLogin()
    await presentExpired(context, login)
    const status = await awaitSessionEnd(context, sessionCodeOf(login.page))
    expectEqual('status of the session', status, 'FAILED')
    const { status: http, url } = await login.browser.get(login.page.url)
    return http === 0 && new URL(url).searchParams.has('code')
      ? broken('An expired credential was given a code.')
      : held('The login failed, and no code was given.', { verdictSource: 'status of the session' })
  },
})
