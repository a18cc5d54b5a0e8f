import { defineCheck } from '../../../kit/check.ts'
import { findRefusal } from '../../../kit/classify-answer.ts'
import type { IdpContext } from '../context.ts'

export const check = defineCheck<IdpContext>({
  id: 'O20',
  title: 'The token endpoint asks for client credentials',
  level: 'spec',
  expectation: 'refuse',
  control: 'login',
  rows: ['1.endpoints/credential-idp.5', '1.authentication.4'],
  clauses: ['RFC 6749, 3.2.1'],
  description: 'Without them a code is all that it takes.',
  sends: 'A good code without any client authentication.',
  decides: 'It is refused; a status or an error other than 400 or 401 invalid_client is a warning.',
  async run({ logIn, requestTokens, codeForm }) {
    return findRefusal(await requestTokens(codeForm(await logIn())), {
      what: 'A token request without client credentials',
      statuses: [400, 401],
      statusLevel: 'practice',
      errors: ['invalid_client', 'invalid_request'],
      errorLevel: 'practice',
    })
  },
})
