import { createHash, randomBytes } from 'node:crypto'
import { defineCheck, held } from '../../../kit/check.ts'
import { requireJson } from '../../../kit/classify-answer.ts'
import type { IdpContext } from '../context.ts'

export const check = defineCheck<IdpContext>({
  id: 'O17',
  title: 'PKCE with S256 is accepted',
  level: 'practice',
  expectation: 'advice',
  control: 'login',
  clauses: ['RFC 7636, 4.3'],
  description:
    'It binds a code to the browser that asked for it, also where the client has a secret.',
  sends: 'A login with code_challenge, redeemed with its code_verifier.',
  decides: 'The token request is answered with tokens.',
  async run({ logIn, requestTokens, codeForm, target }) {
    const code_verifier = randomBytes(32).toString('base64url')
    const code_challenge = createHash('sha256').update(code_verifier).digest('base64url')
    const parameters = { code_challenge, code_challenge_method: 'S256' }
    const form = { ...codeForm(await logIn({ parameters })), code_verifier }
    requireJson(await requestTokens(form, target.client), 'The token request with a code_verifier')
    return held('The code was redeemed with its code_verifier.')
  },
})
