import { defineCheck } from '../../../kit/define-check.ts'
import { inconclusive } from '../../../kit/finding.ts'
import { askForCredential } from '../flow/ask-for-credential.ts'
import { expectRefused } from '../flow/expect-refused.ts'
import { redeem } from '../flow/redeem.ts'
import type { IssuerContext } from '../issuer-context.ts'

export const check = defineCheck<IssuerContext>({
  id: 'I38',
  title: 'A c_nonce of another session is refused',
  level: 'spec',
  expectation: 'refuse',
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
    return expectRefused(context, await askForCredential(context, one, { cNonce }), {
      what: 'The credential request with the c_nonce of another session',
      errors: ['invalid_nonce', 'invalid_proof'],
    })
  },
})
