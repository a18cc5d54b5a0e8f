import { parseVpToken, verifyVpToken } from '#core/oid4vp/vp-token.ts'
import { broken, defineCheck } from '../../../kit/check.ts'
import type { WalletContext } from '../context.ts'
import { findBrokenRules } from '../findings/find-broken-rules.ts'
import { takePresentation } from '../findings/take-presentation.ts'

export const check = defineCheck<WalletContext>({
  id: 'W29',
  title: 'The presentation is as documented',
  level: 'spec',
  expectation: 'accept',
  rows: [
    '1.resources-and-their-fields/presentation-token.1',
    '1.resources-and-their-fields/presentation-token.2',
    '1.resources-and-their-fields/presentation-authorization-request.4',
    '1.resources-and-their-fields/presentation-authorization-request.5',
  ],
  description:
    'Verifiers refuse a presentation for another audience, without the nonce, or whose holder did not sign.',
  sends: 'A signed request at request_uri of a verifier that is as good as can be.',
  decides:
    'vp_token keeps every rule: typ, alg, kid, iss, aud, nonce, iat, exp, vp.@context, vp.type, one credential, signature.',
  async run(context) {
    const { session, post } = await takePresentation(context)
    const verdictSource = 'post to response_uri'
    const jws = parseVpToken(post.vpToken)
    if (!jws) return broken('vp_token is no JWT.', { verdictSource, actual: post.vpToken })
    const now = context.now()
    const audience = session.party.did
    const { failures } = await verifyVpToken({ jws, audience, nonce: session.nonce, now })
    // The documents limit neither its lifetime (W31) nor the number of credentials in it (W45).
    const isOnlyLong = typeof jws.payload.exp === 'number' && jws.payload.exp > now
    const isOnlyMany = post.credentials.length > 1
    const isLimit = (rule: string) =>
      (rule === 'presentation.expiry' && isOnlyLong) ||
      (rule === 'presentation.credentials' && isOnlyMany)
    return findBrokenRules(
      'The presentation',
      failures.filter(({ rule }) => !isLimit(rule)),
      verdictSource,
    )
  },
})
