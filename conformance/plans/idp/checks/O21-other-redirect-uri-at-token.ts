import { defineCheck } from '../../../kit/check.ts'
import { findRefusal } from '../../../kit/classify-answer.ts'
import type { IdpContext } from '../context.ts'

export const check = defineCheck<IdpContext>({
  id: 'O21',
  title: 'A code is not redeemed with another redirect_uri',
  level: 'spec',
  expectation: 'refuse',
  control: 'login',
  rows: ['1.errors.8', '1.endpoints/credential-idp.14'],
  clauses: ['RFC 6749, 4.1.3'],
  description:
    'It is what keeps a code that was obtained through one address from being used through another.',
  sends: 'A good code with a redirect_uri that differs from that of the authorization request.',
  decides: 'It is refused; a status or an error other than 400 invalid_grant is a warning.',
  async run({ logIn, requestTokens, codeForm, target }) {
    const form = { ...codeForm(await logIn()), redirect_uri: `${target.client.redirectUri}/other` }
    return findRefusal(await requestTokens(form, target.client), {
      what: 'A token request with another redirect_uri',
      statuses: [400],
      statusLevel: 'practice',
      errors: ['invalid_grant', 'invalid_request'],
      errorLevel: 'practice',
    })
  },
})
