import { expectEqual, expectTrue } from '#scenarios/harness/expectations.ts'
import { defineCheck } from '../../../define-check.ts'
import { held } from '../../../finding.ts'
import type { IdpContext } from '../context.ts'

export const check = defineCheck<IdpContext>({
  id: 'O01',
  title: 'The discovery document has the documented fields',
  level: 'spec',
  expectation: 'accept',
  rows: ['1.endpoints/credential-idp.3', '1.endpoints/credential-idp.11'],
  clauses: ['OpenID Connect Discovery 1.0, 3'],
  description:
    'Clients configure themselves from it; a missing or wrong field stops every one of them, or lets them use an algorithm that nobody checked.',
  sends: 'GET /.well-known/openid-configuration',
  decides: 'Every documented field is there with its value; issuer is the address that was asked.',
  async run({ discover, baseUrl }) {
    const document = await discover()
    const { issuer } = document
    // One slash at the end is the issuer's own affair (OpenID Connect Discovery 1.0, 4.1).
    expectTrue(`issuer is ${baseUrl}`, [baseUrl, `${baseUrl}/`].includes(String(issuer)), issuer)
    for (const name of [
      'authorization_endpoint',
      'token_endpoint',
      'userinfo_endpoint',
      'jwks_uri',
    ]) {
      const value = document[name]
      expectTrue(`${name} is an address`, typeof value === 'string' && URL.canParse(value), value)
    }
    const scopes = [document.scopes_supported].flat()
    for (const scope of ['openid', 'profile', 'email', 'openid-vp-lear']) {
      expectTrue(`scopes_supported has ${scope}`, scopes.includes(scope), scopes)
    }
    expectEqual('response_types_supported', document.response_types_supported, ['code'])
    expectEqual('grant_types_supported', document.grant_types_supported, ['authorization_code'])
    const algorithms = document.id_token_signing_alg_values_supported
    expectEqual('id_token_signing_alg_values_supported', algorithms, ['RS256'])
    return held('All documented fields are there.')
  },
})
