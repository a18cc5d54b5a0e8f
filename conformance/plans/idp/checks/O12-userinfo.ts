import { expectEqual } from '#scenarios/harness/expectations.ts'
import { defineCheck, held } from '../../../kit/check.ts'
import { findRefusal, requireJson } from '../../../kit/classify-answer.ts'
import type { IdpContext } from '../context.ts'
import { verifyIdToken } from '../verify-id-token.ts'

export const check = defineCheck<IdpContext>({
  id: 'O12',
  title: 'userinfo needs a Bearer token and is about the same subject as the id_token',
  level: 'spec',
  expectation: 'accept',
  control: 'login',
  rows: ['1.endpoints/credential-idp.6', '1.authentication.4'],
  clauses: ['OpenID Connect Core 1.0, 5.3.2'],
  description: 'Claims of another subject are claims about another person.',
  sends: 'GET userinfo without a token, then with the access token of a login.',
  decides:
    'Refused without; with it 200 and the sub of the id_token. A refusal other than 401 is a warning.',
  async run(context) {
    const url = await context.endpoint('userinfo_endpoint')
    const http = context.httpAs('relying-party')
    const what = 'userinfo without a token'
    const finding = findRefusal(await http.request(url), {
      what,
      statuses: [401],
      statusLevel: 'practice',
    })
    if (finding.kind !== 'held') return finding
    const { tokens } = await context.logInForTokens()
    const { claims } = await verifyIdToken(context, tokens)
    const headers = { authorization: `Bearer ${tokens.access_token}` }
    const info = requireJson(await http.request(url, { headers }), 'userinfo')
    expectEqual('sub', info.sub, claims.sub)
    return held('userinfo is closed without a token, and about the same subject with it.')
  },
})
