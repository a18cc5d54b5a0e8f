import { findRefusal, requireAnswer } from '../../../kit/classify-answer.ts'
import { defineCheck } from '../../../kit/define-check.ts'
import { broken, held, inconclusive } from '../../../kit/finding.ts'
import { askForCredential } from '../flow/ask-for-credential.ts'
import { redeem } from '../flow/redeem.ts'
import { requireControl } from '../flow/require-control.ts'
import type { IssuerContext } from '../issuer-context.ts'

export const check = defineCheck<IssuerContext>({
  id: 'I45',
  title: 'With the c_nonce of a refusal the next request succeeds',
  level: 'practice',
  expectation: 'accept',
  description:
    'A wallet whose nonce ran out while its holder looked for the PIN is otherwise stuck with an offer that is used up. OpenID4VCI 1.0 has a nonce endpoint for this, which the documents do not have; up to draft 14 the refusal brought the nonce.',
  sends:
    'A proof with a nonce of its own making, then one with the c_nonce that came with the refusal.',
  decides: 'The first is answered 4xx with a c_nonce, the second brings a credential.',
  async run(context) {
    const session = await redeem(context)
    const refused = await askForCredential(context, session, { cNonce: 'a-nonce-of-my-own-making' })
    if (findRefusal(refused, { what: '' }).kind !== 'held') {
      return inconclusive('A nonce that the issuer never gave out was not refused: see I38.')
    }
    const { c_nonce: cNonce } = (refused.json ?? {}) as { c_nonce?: unknown }
    if (typeof cNonce !== 'string' || cNonce === '') {
      return broken('The refusal of the nonce brings no other one.', {
        expected: 'c_nonce',
        actual: refused.json,
        verdictSource: 'the refusal by the credential endpoint',
      })
    }
    const answer = await askForCredential(context, session, { cNonce })
    const what = 'The credential request with the fresh c_nonce'
    if (findRefusal(answer, { what }).kind === 'held') {
      // It may have been something else than the nonce.
      context.proven.delete('plain')
      await requireControl(context)
    }
    requireAnswer(answer, what, [200, 202])
    return held('The fresh c_nonce works.', { verdictSource: 'HTTP status of POST /credential' })
  },
})
