import { expectEqual } from '#scenarios/harness/expectations.ts'
import { broken, defineCheck, held, inconclusive } from '../../../kit/check.ts'
import { classifyStatus } from '../../../kit/classify-answer.ts'
import type { IdpContext } from '../context.ts'
import { pollSession } from '../poll-session.ts'
import { sessionCodeOf } from '../session-code-of.ts'
import { sessionNamesOf } from '../session-names-of.ts'

export const check = defineCheck<IdpContext>({
  id: 'O29',
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
})
