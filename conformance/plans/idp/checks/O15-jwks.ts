import { expectEqual } from '#scenarios/harness/expectations.ts'
import { broken, defineCheck, held } from '../../../kit/check.ts'
import { requireJson } from '../../../kit/classify-answer.ts'
import type { IdpContext } from '../context.ts'
import { verifyIdToken } from '../verify-id-token.ts'

export const check = defineCheck<IdpContext>({
  id: 'O15',
  title: 'The key of the id_token is in the published key set, by its kid',
  level: 'spec',
  expectation: 'accept',
  control: 'login',
  rows: ['1.endpoints/credential-idp.7'],
  clauses: ['OpenID Connect Core 1.0, 10.1'],
  description: 'Relying parties find the key by kid; after a rotation there are several.',
  sends: 'A login, and GET jwks_uri.',
  decides:
    'One RSA key of the set has the kid of the id_token, which only a set of one key may do without, and no key has private members.',
  async run(context) {
    const { endpoint, httpAs, logInForTokens } = context
    const answer = await httpAs('relying-party').request(await endpoint('jwks_uri'))
    const { keys: published } = requireJson(answer, 'jwks_uri')
    const keys = [published].flat().filter(isKey)
    if (keys.length === 0) return broken('jwks_uri has no keys.', { actual: published })
    const names = keys.flatMap((key) => Object.keys(key))
    const secret = names.filter((name) => /^(d|p|q|dp|dq|qi|k)$/.test(name))
    expectEqual('private members of the published keys', secret, [])
    const { tokens } = await logInForTokens()
    const { header } = await verifyIdToken(context, tokens)
    // With one key alone there is nothing to tell apart.
    const named = header.kid === undefined && keys.length === 1 ? keys : keysNamed(keys, header.kid)
    expectEqual(
      'kty of the keys with its kid',
      named.map(({ kty }) => kty),
      ['RSA'],
    )
    return held('The key is there, by its kid, and nothing private with it.')
  },
})

const isKey = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null

const keysNamed = (keys: readonly Record<string, unknown>[], kid: unknown) =>
  keys.filter((key) => kid !== undefined && key.kid === kid)
