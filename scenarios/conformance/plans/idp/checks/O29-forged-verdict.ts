import { expectEqual } from '#scenarios/harness/expectations.ts'
import { classifyStatus } from '../../../classify-answer.ts'
import { defineCheck } from '../../../define-check.ts'
import { broken, held, inconclusive } from '../../../finding.ts'
import type { IdpContext } from '../context.ts'
import { pollSession } from '../poll-session.ts'
import { sessionCodeOf } from '../session-code-of.ts'

export const check = defineCheck<IdpContext>({
  id: 'O29',
  title: 'A verdict without the API key changes no login',
  level: 'spec',
  expectation: 'refuse',
  rows: ['1.authentication.3'],
  description: 'Whoever could tell the IDP that a presentation was good could log in as anybody.',
  sends: 'A login is begun, and a verdict is posted for its session without an API key.',
  decides: 'The forged verdict is refused (or its address unknown), and the session stays PENDING.',
  async run(context) {
    const session = sessionCodeOf((await context.beginLogin()).page)
    const url = `${context.target.issuer}/idp/api/auth/results`
    const json = { session_id: session, session, status: 'SUCCESS', credential: {} }
    const { status } = await context.httpAs('stranger').request(url, { json })
    const kind = classifyStatus(status)
    if (kind === 'accepted') return broken('A forged verdict was taken.', { actual: status })
    if (kind !== 'refused') return inconclusive(`The forged verdict met HTTP ${status}.`)
    expectEqual('status of the session after it', await pollSession(context, session), 'PENDING')
    return held(`The forged verdict was refused with HTTP ${status}.`)
  },
})
