import { broken, defineCheck, held } from '../../../kit/check.ts'
import { findRefusal } from '../../../kit/classify-answer.ts'
import type { IdpContext } from '../context.ts'
import { requireUserinfo } from '../require-userinfo.ts'

export const check = defineCheck<IdpContext>({
  id: 'O25',
  title: 'userinfo answers a garbage token with 401 and WWW-Authenticate',
  level: 'practice',
  expectation: 'refuse',
  clauses: ['RFC 6750, 3'],
  description:
    'Client libraries go by the header to tell a token that has ended from a fault of the server.',
  sends: 'GET userinfo with the access token of a login, then with a token that is none.',
  decides: 'The second answer is 401 with WWW-Authenticate: Bearer and error invalid_token.',
  async run(context) {
    const { url } = await requireUserinfo(context)
    const headers = { authorization: 'Bearer this.is.nothing' }
    const answer = await context.httpAs('relying-party').request(url, { headers })
    const finding = findRefusal(answer, { what: 'A garbage token', statuses: [401] })
    if (finding.kind !== 'held') return finding
    const actual = answer.headers.get('www-authenticate') ?? 'none'
    return /^Bearer\b.*error="?invalid_token/i.test(actual)
      ? held('401 with WWW-Authenticate: Bearer, error invalid_token.')
      : broken('The 401 has no WWW-Authenticate: Bearer error="invalid_token".', { actual })
  },
})
