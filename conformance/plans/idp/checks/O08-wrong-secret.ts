import { defineCheck } from '../../../kit/check.ts'
import { findRefusal } from '../../../kit/classify-answer.ts'
import type { IdpContext } from '../context.ts'

export const check = defineCheck<IdpContext>({
  id: 'O08',
  title: 'A wrong client secret is refused',
  level: 'spec',
  expectation: 'refuse',
  control: 'login',
  rows: ['1.authentication.4', '1.errors.8'],
  clauses: ['RFC 6749, 5.2'],
  description: 'The secret is all that tells the relying party from whoever intercepted its code.',
  sends: "A good code with the client's id and another secret.",
  decides:
    'It is refused while the right secret is taken. A status other than 401, or an error other than invalid_client, is a warning.',
  async run({ logIn, requestTokens, codeForm, target }) {
    const form = codeForm(await logIn())
    const stranger = { ...target.client, clientSecret: 'this is not the secret of anybody' }
    return findRefusal(await requestTokens(form, stranger), {
      what: 'A token request with a wrong secret',
      statuses: target.clientAuthentication === 'basic' ? [401] : [400, 401],
      statusLevel: 'practice',
      errors: ['invalid_client'],
      errorLevel: 'practice',
    })
  },
})
