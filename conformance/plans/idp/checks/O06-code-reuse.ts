import { defineCheck } from '../../../kit/check.ts'
import { findRefusal, requireJson } from '../../../kit/classify-answer.ts'
import type { IdpContext } from '../context.ts'

export const check = defineCheck<IdpContext>({
  id: 'O06',
  title: 'A code that was redeemed is not redeemed again',
  level: 'practice',
  expectation: 'refuse',
  control: 'login',
  clauses: ['RFC 6749, 4.1.2'],
  description: 'A code that works twice works for whoever reads it in a log or a history.',
  sends: 'The same code twice to the token endpoint.',
  decides: 'The second answer is 400 invalid_grant.',
  async run({ logIn, requestTokens, codeForm, target }) {
    const form = codeForm(await logIn())
    requireJson(await requestTokens(form, target.client), 'The first token request')
    return findRefusal(await requestTokens(form, target.client), {
      what: 'A code used twice',
      statuses: [400],
      errors: ['invalid_grant'],
    })
  },
})
