import { defineCheck, inconclusive } from '../../../kit/check.ts'
import { findRefusal } from '../../../kit/classify-answer.ts'
import type { IdpContext } from '../context.ts'
import { sessionCodeOf } from '../session-code-of.ts'

export const check = defineCheck<IdpContext>({
  id: 'O16',
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
})
