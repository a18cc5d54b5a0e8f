import { broken, defineChecks, held, inconclusive } from '../../../kit/check.ts'
import { classifyStatus, requireAnswer } from '../../../kit/classify-answer.ts'
import type { IssuerContext } from '../issuer-context.ts'
import { askForCredential, askForToken, readOffer, redeem } from '../redeeming.ts'

/** Seconds before the end of a lifetime, enough for a slow request. */
const margin = 20

export const checks = defineChecks<IssuerContext>({
  'I130-code-until-its-end': {
    title: 'A code can be redeemed until its lifetime ends',
    level: 'spec',
    expectation: 'accept',
    rows: ['1.limits.1', '1.states-and-transitions.5'],
    description:
      'A holder who first installs a wallet needs the time that the issuer promises. A code that ends early looks like an error of the wallet.',
    sends: `A token request ${margin} seconds before the lifetime of codes has passed.`,
    decides: 'The token endpoint returns 200.',
    fix: 'Let pre-authorized_code expire QR_EXPIRATION_TIME seconds after the offer was created, not earlier. offerLifetimeSeconds in the target file must be that lifetime.',
    needs: ['clock'],
    async run(context) {
      const { offerLifetimeSeconds: lifetime } = context
      if (lifetime <= margin) return inconclusive(`Codes live for only ${lifetime} seconds.`)
      const { resolved } = await readOffer(context)
      await context.advanceClock(lifetime - margin)
      const what = `The token request ${lifetime - margin} seconds after the offer was made`
      requireAnswer(await askForToken(context, resolved), what)
      return held(`${what} succeeded.`, { verdictSource: 'HTTP status of the token endpoint' })
    },
  },
  'I131-tokens-until-their-end': {
    title: 'Access token and c_nonce are valid until their lifetimes end',
    level: 'spec',
    expectation: 'accept',
    rows: ['1.endpoints/endpoints-an-issuer-exposes-to-the-wallet.6'],
    clauses: ['RFC 6749, 5.1'],
    description:
      'A wallet relies on the announced lifetimes. If a token ends early, the offer is already redeemed, and the holder needs a new one.',
    sends: `A credential request ${margin} seconds before the shorter one of expires_in and c_nonce_expires_in has passed. In a second session, a request ${margin} seconds before expires_in.`,
    decides:
      'The first returns a credential. The second is not answered with 401: the c_nonce may have expired, but not the access token.',
    fix: 'Compare the age of access token and c_nonce with the same lifetimes that the token response announces in expires_in and c_nonce_expires_in.',
    needs: ['clock'],
    async run(context) {
      const first = await redeem(context)
      const { expiresIn, cNonceExpiresIn } = first.token
      if (expiresIn === undefined) return inconclusive('There is no expires_in: see I10.')
      const shorter = Math.min(expiresIn, cNonceExpiresIn ?? expiresIn)
      if (shorter <= margin) return inconclusive(`The lifetimes are only ${shorter} seconds.`)
      const verdictSource = 'HTTP status of the credential endpoint'
      await context.advanceClock(shorter - margin)
      const what = `The credential request after ${shorter - margin} seconds`
      requireAnswer(await askForCredential(context, first), what, [200, 202])
      const second = await redeem(context)
      await context.advanceClock(expiresIn - margin)
      const { status } = await askForCredential(context, second)
      const observed = `The request ${expiresIn - margin} seconds after the token response was answered with HTTP ${status}`
      if (status === 401) {
        const details = { expected: 'not 401', actual: status, verdictSource }
        return broken(`${observed}, as if the access token had expired.`, details)
      }
      return ['accepted', 'refused'].includes(classifyStatus(status))
        ? held(`${what} succeeded. ${observed}.`, { verdictSource })
        : inconclusive(observed, { verdictSource })
    },
  },
})
