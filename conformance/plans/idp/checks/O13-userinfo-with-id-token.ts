import { defineCheck } from '../../../kit/check.ts'
import { findRefusal } from '../../../kit/classify-answer.ts'
import type { IdpContext } from '../context.ts'
import { requireUserinfo } from '../require-userinfo.ts'

export const check = defineCheck<IdpContext>({
  id: 'O13',
  title: 'userinfo refuses an id_token in place of the access token',
  level: 'spec',
  expectation: 'refuse',
  rows: ['1.endpoints/credential-idp.6'],
  clauses: ['OpenID Connect Core 1.0, 5.3.1', 'RFC 6750, 3.1'],
  description: 'id_tokens are handed around as proof of a login; they must open nothing.',
  sends: 'GET userinfo with the access token of a login, then with its id_token.',
  decides: 'The first is answered, the second refused; a status other than 401 is a warning.',
  async run(context) {
    const { url, tokens } = await requireUserinfo(context)
    const headers = { authorization: `Bearer ${tokens.id_token}` }
    const answer = await context.httpAs('relying-party').request(url, { headers })
    return findRefusal(answer, {
      what: 'userinfo with an id_token',
      statuses: [401],
      statusLevel: 'practice',
    })
  },
})
