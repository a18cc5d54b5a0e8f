import { broken, defineCheck, held, inconclusive } from '../../../kit/check.ts'
import { classifyStatus } from '../../../kit/classify-answer.ts'
import { findDefect } from '../../../world/defects/create-credential-with-defect.ts'
import type { IdpContext } from '../context.ts'
import { awaitSessionEnd } from '../poll-session.ts'
import { sessionCodeOf } from '../session-code-of.ts'

const verdictSource = 'status of the session'

export const check = defineCheck<IdpContext>({
  id: 'O19',
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
    const defect = findDefect('expired')
    const answer = await context.present(login, defect ? { defect } : {})
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
})
