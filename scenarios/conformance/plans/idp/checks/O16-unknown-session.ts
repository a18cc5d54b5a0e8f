import { findRefusal } from '../../../classify-answer.ts'
import { defineCheck } from '../../../define-check.ts'
import type { IdpContext } from '../context.ts'

export const check = defineCheck<IdpContext>({
  id: 'O16',
  title: 'Polling an unknown session tells nothing of any',
  level: 'practice',
  expectation: 'refuse',
  description:
    'The endpoint is open to everybody: it must say nothing that helps to guess sessions.',
  sends: 'GET /idp/api/auth/requests with a session code that nobody was given, and without one.',
  decides: 'Both answers are refusals.',
  async run({ httpAs, target }) {
    const url = `${target.issuer}/idp/api/auth/requests`
    const http = httpAs('browser')
    const without = findRefusal(await http.request(url), { what: 'Polling without a session' })
    if (without.kind !== 'held') return without
    const what = 'Polling an unknown session'
    return findRefusal(await http.request(`${url}?session=nobody-was-given-this-code`), { what })
  },
})
