import { expectTrue } from '#scenarios/harness/expectations.ts'
import { defineCheck, held } from '../../../kit/check.ts'
import { requireAnswer } from '../../../kit/classify-answer.ts'
import type { IdpContext } from '../context.ts'

export const check = defineCheck<IdpContext>({
  id: 'O24',
  title: 'Token responses may not be cached',
  level: 'practice',
  expectation: 'advice',
  control: 'login',
  clauses: ['RFC 6749, 5.1'],
  description:
    "A proxy that keeps a token response hands somebody's tokens to the next one who asks.",
  sends: 'A whole login.',
  decides: 'The token response has Cache-Control: no-store.',
  async run({ logIn, requestTokens, codeForm, target }) {
    const answer = await requestTokens(codeForm(await logIn()), target.client)
    const { headers } = requireAnswer(answer, 'The token request')
    const found = headers.get('cache-control') ?? ''
    expectTrue('Cache-Control has no-store', /\bno-store\b/.test(found), found)
    return held('The token response has Cache-Control: no-store.')
  },
})
