import { defineCheck } from '../../../kit/check.ts'
import { findRefusal } from '../../../kit/classify-answer.ts'
import type { IdpContext } from '../context.ts'

export const check = defineCheck<IdpContext>({
  id: 'O22',
  title: 'A code that nobody was given is refused',
  level: 'spec',
  expectation: 'refuse',
  control: 'login',
  rows: ['1.endpoints/credential-idp.19'],
  clauses: ['RFC 6749, 5.2'],
  description: 'Guessing has to be hopeless, and told apart from a server that is broken.',
  sends: 'A made-up code.',
  decides: 'It is refused; a status or an error other than 400 invalid_grant is a warning.',
  async run({ requestTokens, target }) {
    const { clientId, redirectUri } = target.client
    const form = {
      grant_type: 'authorization_code',
      code: 'nobody-was-given-this-code',
      redirect_uri: redirectUri,
      client_id: clientId,
    }
    return findRefusal(await requestTokens(form, target.client), {
      what: 'A made-up code',
      statuses: [400],
      statusLevel: 'practice',
      errors: ['invalid_grant'],
      errorLevel: 'practice',
    })
  },
})
