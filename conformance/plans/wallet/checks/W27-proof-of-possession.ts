import { defineCheck } from '../../../kit/check.ts'
import type { WalletContext } from '../context.ts'
import { findBrokenRules } from '../findings/find-broken-rules.ts'
import { observeIssuance } from '../findings/observe-issuance.ts'

export const check = defineCheck<WalletContext>({
  id: 'W27',
  title: 'The proof of possession is as documented',
  level: 'spec',
  expectation: 'accept',
  rows: [
    '1.resources-and-their-fields/proof-of-possession-jwt.1',
    '1.resources-and-their-fields/proof-of-possession-jwt.2',
    '1.endpoints/endpoints-an-issuer-exposes-to-the-wallet.9',
    '1.authentication.7',
  ],
  description:
    'Issuers bind the credential to the key of the proof. A wrong typ, kid, aud or nonce is what most wallets fail at.',
  sends: 'An offer of an issuer that is as good as can be.',
  decides:
    'The proof in the credential request keeps every rule: typ, alg, kid, iss, aud, iat, nonce, signature.',
  async run(context) {
    const { session } = await observeIssuance(context, 'credential')
    const [proof] = session.proofs
    return findBrokenRules('The proof of possession', proof?.failures ?? [], 'credential request')
  },
})
