import { expectEqual, expectTrue } from '#scenarios/harness/expectations.ts'
import { defineCheck, held } from '../../../kit/check.ts'
import type { IdpContext } from '../context.ts'

export const check = defineCheck<IdpContext>({
  id: 'O02',
  title: 'A login with a good credential ends with a code and tokens',
  level: 'spec',
  expectation: 'accept',
  rows: ['1.endpoints/credential-idp.4', '1.endpoints/credential-idp.20'],
  clauses: ['OpenID Connect Core 1.0, 3.1'],
  description:
    'The one thing that an IDP is there for: everything else is about keeping it from happening when it must not.',
  sends: 'A whole login: authorization request, presentation of a good credential, code, tokens.',
  decides:
    'The token response has access_token (a JWT), id_token (a JWT), refresh_token, token_type Bearer and expires_in in whole seconds.',
  async run({ logInForTokens }) {
    const { tokens } = await logInForTokens()
    const isJwt = (value: unknown) => typeof value === 'string' && value.split('.').length === 3
    expectTrue('access_token is a JWT', isJwt(tokens.access_token))
    expectTrue('id_token is a JWT', isJwt(tokens.id_token))
    expectTrue('there is a refresh_token', typeof tokens.refresh_token === 'string')
    expectEqual('token_type', tokens.token_type, 'Bearer')
    expectTrue('expires_in is a whole number', Number.isInteger(tokens.expires_in))
    return held('The login ended with all tokens.')
  },
})
