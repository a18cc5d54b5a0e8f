import { expectEqual } from '#scenarios/harness/expectations.ts'
import { defineCheck } from '../../../define-check.ts'
import { held } from '../../../finding.ts'
import type { IdpContext } from '../context.ts'
import { awaitSessionEnd, pollSession } from '../poll-session.ts'
import { sessionCodeOf } from '../session-code-of.ts'

export const check = defineCheck<IdpContext>({
  id: 'O32',
  title: 'A session is PENDING, then SUCCESS',
  level: 'spec',
  expectation: 'accept',
  rows: [
    '1.endpoints/credential-idp.8',
    '1.resources-and-their-fields/verification-session.1',
    '1.resources-and-their-fields/verification-session.2',
  ],
  description: 'The page of the login lives by it.',
  sends: 'A login is begun, polled, answered, and polled again.',
  decides: 'status is PENDING before and SUCCESS after the wallet has answered.',
  async run(context) {
    const login = await context.beginLogin()
    const session = sessionCodeOf(login.page)
    expectEqual('status before', await pollSession(context, session), 'PENDING')
    await context.present(login)
    expectEqual('status after', await awaitSessionEnd(context, session), 'SUCCESS')
    return held('The session went from PENDING to SUCCESS.')
  },
})
