import { defineCheck } from '../../../kit/define-check.ts'
import { inconclusive } from '../../../kit/finding.ts'
import { askForCredential } from '../flow/ask-for-credential.ts'
import { expectRefused } from '../flow/expect-refused.ts'
import { redeem } from '../flow/redeem.ts'
import type { IssuerContext } from '../issuer-context.ts'

export const check = defineCheck<IssuerContext>({
  id: 'I40',
  title: 'A c_nonce ends after c_nonce_expires_in',
  level: 'spec',
  expectation: 'refuse',
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
    return expectRefused(context, await askForCredential(context, session), {
      what: `The credential request with a c_nonce of ${cNonceExpiresIn + 1} seconds ago`,
      errors: ['invalid_nonce', 'invalid_proof'],
    })
  },
})
