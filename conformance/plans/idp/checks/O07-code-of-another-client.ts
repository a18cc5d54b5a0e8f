import { defineCheck } from '../../../kit/check.ts'
import { findRefusal } from '../../../kit/classify-answer.ts'
import type { IdpContext } from '../context.ts'

export const check = defineCheck<IdpContext>({
  id: 'O07',
  title: 'A code is redeemed by the client that it was issued to alone',
  level: 'practice',
  expectation: 'refuse',
  control: 'second-login',
  clauses: ['RFC 6749, 4.1.3'],
  description:
    "One relying party must not be able to log in with what another's user has authorized.",
  sends: "A code of the first client, redeemed with the second client's credentials.",
  decides:
    'The answer is 400 invalid_grant, or another error about the client; the second client can log in by itself.',
  needs: ['second-client'],
  async run({ logIn, requestTokens, codeForm, target }) {
    const { secondClient = target.client } = target
    const form = { ...codeForm(await logIn()), client_id: secondClient.clientId }
    return findRefusal(await requestTokens(form, secondClient), {
      what: 'A code of another client',
      statuses: [400, 401],
      errors: ['invalid_grant', 'invalid_client', 'unauthorized_client'],
    })
  },
})
