import { createHash } from 'node:crypto'
import { defineCheck } from '../../../kit/check.ts'
import { findRefusal, jsonAsPremise } from '../../../kit/classify-answer.ts'
import type { IdpContext } from '../context.ts'

export const check = defineCheck<IdpContext>({
  id: 'O18',
  title: 'A code of a login with PKCE is not redeemed without its code_verifier',
  level: 'practice',
  expectation: 'refuse',
  control: 'login',
  clauses: ['RFC 7636, 4.6'],
  description:
    'An IDP that takes a challenge and never checks it is worse than one that refuses it: clients rely on it.',
  sends: 'A login with code_challenge, redeemed with another code_verifier, then one with none.',
  decides: 'Both answers are 400 invalid_grant.',
  async run({ logIn, requestTokens, codeForm, target }) {
    const code_challenge = createHash('sha256').update('a'.repeat(43)).digest('base64url')
    const parameters = { code_challenge, code_challenge_method: 'S256' }
    const refusal = { statuses: [400], errors: ['invalid_grant', 'invalid_request'] }
    const redeem = async (code_verifier: string) =>
      requestTokens({ ...codeForm(await logIn({ parameters })), code_verifier }, target.client)
    const good = redeem('a'.repeat(43))
    await jsonAsPremise('The token request', good, 'a login with the right code_verifier (see O17)')
    const wrong = await redeem('b'.repeat(43))
    const finding = findRefusal(wrong, { what: 'Another code_verifier', ...refusal })
    if (finding.kind !== 'held') return finding
    const without = await requestTokens(codeForm(await logIn({ parameters })), target.client)
    return findRefusal(without, { what: 'A missing code_verifier', ...refusal })
  },
})
