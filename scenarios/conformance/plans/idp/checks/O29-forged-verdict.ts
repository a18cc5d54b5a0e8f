import { expectEqual } from '#scenarios/harness/expectations.ts'
import { classifyStatus } from '../../../classify-answer.ts'
import { defineCheck } from '../../../define-check.ts'
import { broken, held, inconclusive } from '../../../finding.ts'
import type { IdpContext } from '../context.ts'
import { pollSession } from '../poll-session.ts'
import { sessionCodeOf } from '../session-code-of.ts'
import { sessionNamesOf } from '../session-names-of.ts'

export const check = defineCheck<IdpContext>({
  id: 'O29',
  title: 'A verdict without the API key changes no login',
  level: 'spec',
  expectation: 'refuse',
  rows: ['1.authentication.3'],
  description: 'Whoever could tell the IDP that a presentation was good could log in as anybody.',
  sends:
    'A login is begun, and a verdict is posted without an API key under every name of its session that its link gives away.',
  decides: 'The forged verdict is refused (or its address unknown), and the session stays PENDING.',
  async run(context) {
    const login = await context.beginLogin()
    const url = `${context.target.issuer}/idp/api/auth/results`
    const names = await sessionNamesOf(context, login)
    for (const session_id of names) {
      const json = { session_id, status: 'SUCCESS', credential: {} }
      const { status } = await context.httpAs('stranger').request(url, { json })
      const kind = classifyStatus(status)
      if (kind === 'accepted') return broken('A forged verdict was taken.', { actual: status })
      if (kind !== 'refused') return inconclusive(`The forged verdict met HTTP ${status}.`)
    }
    const status = await pollSession(context, sessionCodeOf(login.page))
    expectEqual('status of the session after it', status, 'PENDING')
    return held(`A verdict was refused under each of ${names.length} names of the session.`)
  },
})
