import { createRequestBody } from '#scenarios/fixtures/wallet-endpoints.ts'
import { broken, defineChecks, held, inconclusive } from '../../../kit/check.ts'
import { findRefusal, requireAnswer } from '../../../kit/classify-answer.ts'
import type { IssuerContext } from '../issuer-context.ts'
import { askForCredential, reachAnswer, redeem } from '../redeeming.ts'
import { findWalletRefusal } from '../refusals.ts'

export const checks = defineChecks<IssuerContext>({
  'I38-nonce-of-another-session': {
    title: 'A c_nonce of another session is refused',
    level: 'spec',
    expectation: 'refuse',
    control: 'offer',
    rows: ['1.resources-and-their-fields/proof-of-possession-jwt.2'],
    clauses: ['OpenID4VCI 1.0, 8.3.1.2'],
    description:
      "Who takes any nonce of theirs takes a proof that was made for somebody else's request.",
    sends: 'Redeems two offers; the request for the one carries the c_nonce of the other.',
    decides: 'The credential endpoint answers 4xx, by OpenID4VCI with invalid_nonce.',
    async run(context) {
      const [one, other] = [await redeem(context), await redeem(context)]
      const { cNonce } = other.token
      if (cNonce === undefined) {
        return inconclusive('The token response has no c_nonce, so that no proof is due: see I10.')
      }
      return findWalletRefusal(await askForCredential(context, one, { cNonce }), {
        what: 'The credential request with the c_nonce of another session',
        errors: ['invalid_nonce', 'invalid_proof'],
      })
    },
  },
  'I39-nonce-reused': {
    title: 'A proof that brought a credential brings no other one',
    level: 'practice',
    expectation: 'refuse',
    control: 'offer',
    rows: ['1.resources-and-their-fields/proof-of-possession-jwt.2'],
    clauses: ['OpenID4VCI 1.0, 13.8'],
    description:
      'Whoever recorded the request repeats it, and has the credential as well. OpenID4VCI 1.0 leaves to the issuer for how long a c_nonce is good.',
    sends: 'The same credential request twice, with the same proof.',
    decides: 'The first brings a credential; the second is answered 4xx.',
    async run(context) {
      const session = await redeem(context)
      const json = createRequestBody(session.wallet, session)
      await reachAnswer('the first request', askForCredential(context, session, { json }))
      return findWalletRefusal(await askForCredential(context, session, { json }), {
        what: 'The same credential request once more',
      })
    },
  },
  'I40-nonce-expired': {
    title: 'A c_nonce ends after c_nonce_expires_in',
    level: 'spec',
    expectation: 'refuse',
    control: 'offer',
    rows: ['1.endpoints/endpoints-an-issuer-exposes-to-the-wallet.6'],
    clauses: ['OpenID4VCI 1.0, 8.3.1.2'],
    description: 'The end of a nonce bounds for how long a proof that got lost is worth anything.',
    sends:
      'Lets c_nonce_expires_in and a second more pass, then a proof that is fresh but for its nonce.',
    decides:
      'The credential endpoint answers 4xx, by OpenID4VCI with invalid_nonce, while the access token is still good.',
    needs: ['clock'],
    async run(context) {
      const session = await redeem(context)
      const { expiresIn, cNonceExpiresIn } = session.token
      if (cNonceExpiresIn === undefined) {
        return inconclusive('The token response has no c_nonce_expires_in: see I10.')
      }
      if (expiresIn !== undefined && cNonceExpiresIn >= expiresIn) {
        return inconclusive(
          `c_nonce lives ${cNonceExpiresIn} seconds, as long as the access token: let the issuer give out shorter ones for this.`,
        )
      }
      await context.advanceClock(cNonceExpiresIn + 1)
      return findWalletRefusal(await askForCredential(context, session), {
        what: `The credential request with a c_nonce of ${cNonceExpiresIn + 1} seconds ago`,
        errors: ['invalid_nonce', 'invalid_proof'],
      })
    },
  },
  'I45-fresh-nonce-works': {
    title: 'With the c_nonce of a refusal the next request succeeds',
    level: 'practice',
    expectation: 'accept',
    control: 'offer',
    description:
      'A wallet whose nonce ran out while its holder looked for the PIN is otherwise stuck with an offer that is used up. OpenID4VCI 1.0 has a nonce endpoint for this, which the profile does not have; up to draft 14 the refusal brought the nonce.',
    sends:
      'A proof with a nonce of its own making, then one with the c_nonce that came with the refusal.',
    decides: 'The first is answered 4xx with a c_nonce, the second brings a credential.',
    async run(context) {
      const session = await redeem(context)
      const refused = await askForCredential(context, session, {
        cNonce: 'a-nonce-of-my-own-making',
      })
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
        context.proven.delete('offer')
      }
      requireAnswer(answer, what, [200, 202])
      return held('The fresh c_nonce works.', { verdictSource: 'HTTP status of POST /credential' })
    },
  },
})
