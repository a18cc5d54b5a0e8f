import { expectEqual, expectTrue } from '#scenarios/harness/expectations.ts'
import { defineCheck, held } from '../../../kit/check.ts'
import type { IdpContext } from '../context.ts'
import { verifyIdToken } from '../verify-id-token.ts'

export const check = defineCheck<IdpContext>({
  id: 'O09',
  title: 'The id_token is signed with RS256 and bound to the client, the time and the nonce',
  level: 'spec',
  expectation: 'accept',
  control: 'login',
  rows: ['1.endpoints/credential-idp.20', '1.endpoints/credential-idp.18'],
  clauses: ['OpenID Connect Core 1.0, 3.1.3.7'],
  description:
    'A relying party that checks what it has to check must find every one of these, or it can only reject the login.',
  sends: 'A whole login with a nonce.',
  decides:
    'Header alg is RS256; the signature verifies with the published key; iss, aud, exp, iat and nonce are right.',
  async run(context) {
    const { nonce, tokens } = await context.logInForTokens()
    const { header, claims } = await verifyIdToken(context, tokens)
    const now = context.now()
    expectEqual('alg', header.alg, 'RS256')
    expectEqual('nonce', claims.nonce, nonce)
    expectTrue('exp lies ahead', Number(claims.exp) > now, claims.exp)
    expectTrue('iat is now', Math.abs(Number(claims.iat) - now) < 300, claims.iat)
    return held('Signature, issuer, audience, times and nonce are right.')
  },
})
