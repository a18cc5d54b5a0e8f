import { findRefusal, requireJson } from '../../../classify-answer.ts'
import { defineCheck } from '../../../define-check.ts'
import type { IdpContext } from '../context.ts'

export const check = defineCheck<IdpContext>({
  id: 'O08',
  title: 'A wrong client secret gets 401 invalid_client',
  level: 'spec',
  expectation: 'refuse',
  rows: ['1.authentication.4', '1.errors.8'],
  clauses: ['RFC 6749, 5.2'],
  description: 'The secret is all that tells the relying party from whoever intercepted its code.',
  sends: "A good code with the client's id and another secret.",
  decides: 'The answer is 401 invalid_client, and the code still works for its owner.',
  async run({ logIn, requestTokens, codeForm, target }) {
    const form = codeForm(await logIn())
    const stranger = { ...target.client, clientSecret: 'this is not the secret of anybody' }
    const finding = findRefusal(await requestTokens(form, stranger), {
      what: 'A token request with a wrong secret',
      statuses: target.clientAuthentication === 'basic' ? [401] : [400, 401],
      errors: ['invalid_client'],
    })
    if (finding.kind !== 'held') return finding
    requireJson(await requestTokens(form, target.client), "The owner's token request after it")
    return finding
  },
})
