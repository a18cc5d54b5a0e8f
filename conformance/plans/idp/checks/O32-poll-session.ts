import { expectEqual } from '#scenarios/harness/expectations.ts'
import { broken, defineCheck, held, inconclusive } from '../../../kit/check.ts'
import { asPremise } from '../../../kit/classify-answer.ts'
import type { IdpContext } from '../context.ts'
import { pollSession } from '../poll-session.ts'
import { sessionCodeOf } from '../session-code-of.ts'

const verdictSource = 'status of the session'

export const check = defineCheck<IdpContext>({
  id: 'O32',
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
})
