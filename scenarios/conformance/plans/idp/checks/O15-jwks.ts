import { decodeProtectedHeader } from 'jose'
import { expectEqual, expectTrue } from '#scenarios/harness/expectations.ts'
import { requireJson } from '../../../classify-answer.ts'
import { defineCheck } from '../../../define-check.ts'
import { held } from '../../../finding.ts'
import type { IdpContext } from '../context.ts'

export const check = defineCheck<IdpContext>({
  id: 'O15',
  title: 'The key of the id_token is in the published key set, by its kid',
  level: 'spec',
  expectation: 'accept',
  rows: ['1.endpoints/credential-idp.7'],
  clauses: ['OpenID Connect Core 1.0, 10.1'],
  description: 'Relying parties find the key by kid; after a rotation there are several.',
  sends: 'A login, and GET jwks_uri.',
  decides: 'One RSA key of the set has the kid of the id_token, and no key has private members.',
  async run({ endpoint, httpAs, logInForTokens }) {
    const answer = await httpAs('relying-party').request(await endpoint('jwks_uri'))
    const keys = [requireJson(answer, 'jwks_uri').keys].flat() as Record<string, unknown>[]
    const names = keys.flatMap((key) => Object.keys(key))
    const secret = names.filter((name) => /^(d|p|q|dp|dq|qi|k)$/.test(name))
    expectEqual('private members of the published keys', secret, [])
    const { tokens } = await logInForTokens()
    const { kid } = decodeProtectedHeader(String(tokens.id_token))
    expectTrue('the id_token has a kid', kid !== undefined)
    expectEqual(
      'kty of the keys with its kid',
      keys.filter((key) => key.kid === kid).map(({ kty }) => kty),
      ['RSA'],
    )
    return held('The key is there, by its kid, and nothing private with it.')
  },
})
