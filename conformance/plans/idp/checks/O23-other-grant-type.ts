import { defineCheck } from '../../../kit/check.ts'
import { findRefusal } from '../../../kit/classify-answer.ts'
import type { IdpContext } from '../context.ts'

export const check = defineCheck<IdpContext>({
  id: 'O23',
  title: 'Only the documented grant types are supported',
  level: 'spec',
  expectation: 'refuse',
  control: 'login',
  rows: ['1.endpoints/credential-idp.19', '1.endpoints/credential-idp.11'],
  clauses: ['RFC 6749, 5.2'],
  description: 'The password grant would bring back what the ecosystem wants to be rid of.',
  sends: 'Token requests with grant_type password and client_credentials.',
  decides:
    'Both are refused; an error other than unsupported_grant_type or unauthorized_client is a warning.',
  async run({ requestTokens, target }) {
    const refusal = {
      statuses: [400],
      statusLevel: 'practice',
      errors: ['unsupported_grant_type', 'unauthorized_client'],
      errorLevel: 'practice',
    } as const
    const password = { grant_type: 'password', username: 'admin', password: 'admin' }
    const first = await requestTokens(password, target.client)
    const finding = findRefusal(first, { what: 'The password grant', ...refusal })
    if (finding.kind !== 'held') return finding
    const second = await requestTokens({ grant_type: 'client_credentials' }, target.client)
    return findRefusal(second, { what: 'The client credentials grant', ...refusal })
  },
})
