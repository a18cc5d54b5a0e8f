import { createRequestBody } from '#scenarios/fixtures/wallet-endpoints.ts'
import type { HttpAnswer } from '#scenarios/harness/http-client.ts'
import { broken, defineChecks, endCheck, held, inconclusive } from '../../../kit/check.ts'
import { findRefusal, requireAnswer } from '../../../kit/classify-answer.ts'
import { allHeld } from '../../../kit/find-each.ts'
import type { IssuerContext } from '../context.ts'
import { askForNonce } from '../credentials.ts'
import { askForCredential, reachAnswer, redeem } from '../redeeming.ts'
import { findWalletRefusal } from '../refusals.ts'

type Body = ReturnType<typeof createRequestBody>

/** Requests without a usable proof. */
const unusableProofs: Readonly<Record<string, (body: Body) => unknown>> = {
  'a made-up nonce': (body) => body,
  'no proof': ({ proof: _, ...body }) => body,
  'an empty jwt': ({ proof, ...body }) => ({ ...body, proof: { ...proof, jwt: '' } }),
  'another proof_type': ({ proof, ...body }) => ({
    ...body,
    proof: { ...proof, proof_type: 'ldp_vp' },
  }),
  'a jwt that is not a JWT': ({ proof, ...body }) => ({ ...body, proof: { ...proof, jwt: 'x' } }),
}

/** The c_nonce of an error response. Ends the check if there is none. */
function findFreshNonce({ json }: HttpAnswer, what: string): string {
  const { c_nonce: cNonce, c_nonce_expires_in: lifetime } = (json ?? {}) as {
    readonly c_nonce?: unknown
    readonly c_nonce_expires_in?: unknown
  }
  if (lifetime !== undefined && !(Number.isInteger(lifetime) && Number(lifetime) > 0)) {
    const details = {
      expected: 'an integer above 0',
      actual: lifetime,
      verdictSource: 'c_nonce_expires_in of the error response',
    }
    endCheck(broken('The lifetime of the new c_nonce is not a number of seconds.', details))
  }
  if (typeof cNonce === 'string' && cNonce !== '') return cNonce
  const details = {
    expected: 'c_nonce',
    actual: json,
    verdictSource: 'the error response of the credential endpoint',
  }
  endCheck(broken(`The error response for ${what} has no new c_nonce.`, details))
}

export const checks = defineChecks<IssuerContext>({
  'I38-nonce-of-another-session': {
    title: 'A c_nonce of another session is rejected',
    level: 'spec',
    expectation: 'refuse',
    control: 'offer',
    rows: ['1.resources-and-their-fields/proof-of-possession-jwt.2'],
    clauses: ['OpenID4VCI 1.0, 8.3.1.2'],
    description:
      "An issuer that accepts any of its nonces accepts a proof that was made for another client's request.",
    sends: 'Redeems two offers; the request of one session contains the c_nonce of the other.',
    decides:
      'The credential endpoint returns 4xx. An error other than invalid_nonce is a WARN: the drafts have invalid_proof instead.',
    fix: 'Store each c_nonce with its access token, and accept only a c_nonce of the same session as nonce of the proof. Reject any other nonce with 400 invalid_nonce.',
    async run(context) {
      const [one, other] = [await redeem(context), await redeem(context)]
      const { cNonce } = other.token
      if (cNonce === undefined) {
        return inconclusive('The token response has no c_nonce, so no proof is required: see I10.')
      }
      return findWalletRefusal(await askForCredential(context, one, { cNonce }), {
        what: 'The credential request with the c_nonce of another session',
        errors: ['invalid_nonce'],
      })
    },
  },
  'I39-nonce-reused': {
    title: 'A proof cannot be used for a second credential',
    level: 'practice',
    expectation: 'refuse',
    control: 'offer',
    rows: ['1.resources-and-their-fields/proof-of-possession-jwt.2'],
    clauses: ['OpenID4VCI 1.0, 13.8'],
    description:
      'An attacker who recorded the request could repeat it and get the credential as well. OpenID4VCI 1.0 lets the issuer decide how long a c_nonce is valid.',
    sends: 'The same credential request twice, with the same proof.',
    decides: 'The first returns a credential; the second returns 4xx.',
    fix: 'Mark a c_nonce as used when you issue a credential. Reject a credential request that repeats it with 400 invalid_nonce.',
    async run(context) {
      const session = await redeem(context)
      const json = createRequestBody(session.wallet, session)
      await reachAnswer('the first request', askForCredential(context, session, { json }))
      return findWalletRefusal(await askForCredential(context, session, { json }), {
        what: 'The repeated credential request',
      })
    },
  },
  'I40-nonce-expired': {
    title: 'A c_nonce expires after c_nonce_expires_in',
    level: 'spec',
    expectation: 'refuse',
    control: 'offer',
    rows: ['1.endpoints/endpoints-an-issuer-exposes-to-the-wallet.6'],
    clauses: ['OpenID4VCI 1.0, 8.3.1.2'],
    description: 'The expiry of a nonce limits how long a stolen proof is useful.',
    sends:
      'Waits one second longer than c_nonce_expires_in, then sends a new proof with the old nonce. The same with the nonce of an error response, if it has c_nonce_expires_in.',
    decides:
      'The credential endpoint returns 4xx, while the access token is still valid. An error other than invalid_nonce is a WARN: the drafts have invalid_proof instead. So is accepting the nonce of an error response.',
    fix: 'Store the expiry of each c_nonce, and compare it with the current time at the credential endpoint. If it has passed, return 400 invalid_nonce.',
    needs: ['clock'],
    async run(context) {
      const session = await redeem(context)
      const { expiresIn, cNonceExpiresIn } = session.token
      if (cNonceExpiresIn === undefined) {
        return inconclusive('The token response has no c_nonce_expires_in: see I10.')
      }
      if (expiresIn !== undefined && cNonceExpiresIn >= expiresIn) {
        return inconclusive(
          `c_nonce is valid for ${cNonceExpiresIn} seconds, as long as the access token. Configure a shorter lifetime of c_nonce for this check.`,
        )
      }
      const errors = ['invalid_nonce']
      await context.advanceClock(cNonceExpiresIn + 1)
      const finding = findWalletRefusal(await askForCredential(context, session), {
        what: `The credential request with a c_nonce of ${cNonceExpiresIn + 1} seconds ago`,
        errors,
      })
      if (finding.kind !== 'held') return finding
      const second = await redeem(context)
      const { cNonce, lifetime = Infinity } = await askForNonce(context, second)
      if (cNonce === undefined || lifetime >= (expiresIn ?? Infinity)) return finding
      await context.advanceClock(lifetime + 1)
      const found = findWalletRefusal(await askForCredential(context, second, { cNonce }), {
        what: `The credential request with the c_nonce of an error response of ${lifetime + 1} seconds ago`,
        errors,
      })
      if (found.kind === 'held') return allHeld([finding, found])
      return found.kind === 'broken' ? { level: 'practice', ...found } : found
    },
  },
  'I45-fresh-nonce-works': {
    title: 'With the c_nonce of an error response the next request succeeds',
    level: 'practice',
    expectation: 'accept',
    control: 'offer',
    description:
      'Otherwise a wallet whose nonce expired while its holder looked for the PIN is stuck with a redeemed offer. OpenID4VCI 1.0 has a nonce endpoint for this, which the profile does not have; up to draft 14 the error response contained the nonce.',
    sends: `Credential requests with ${Object.keys(unusableProofs).join(', ')}. Then a proof with the c_nonce of the last error response.`,
    decides:
      'Each error response has a new c_nonce, and its lifetime in seconds if it has one. The last request returns a credential.',
    fix: 'Put a fresh c_nonce and c_nonce_expires_in into each error response for a missing or invalid proof, and accept it in the next proof of the session.',
    async run(context) {
      const session = await redeem(context)
      const nonces = new Set<unknown>([session.token.cNonce])
      let cNonce: string | undefined
      for (const [what, change] of Object.entries(unusableProofs)) {
        const body = createRequestBody(session.wallet, session, 'a-nonce-of-my-own-making')
        const refused = await askForCredential(context, session, { json: change(body) })
        if (findRefusal(refused, { what }).kind !== 'held') {
          return inconclusive(`The request with ${what} was not rejected: see I25 and I38.`)
        }
        const found = findFreshNonce(refused, what)
        if (nonces.has(found)) {
          return broken(`The error response for ${what} has no new c_nonce.`, { actual: found })
        }
        nonces.add(found)
        cNonce = found
      }
      const answer = await askForCredential(context, session, { cNonce })
      const what = 'The credential request with the fresh c_nonce'
      if (findRefusal(answer, { what }).kind === 'held') {
        // The reason may not be the nonce.
        context.proven.delete('offer')
      }
      requireAnswer(answer, what, [200, 202])
      return held('The fresh c_nonce works.', { verdictSource: 'HTTP status of POST /credential' })
    },
  },
})
