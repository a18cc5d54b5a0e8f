import { expectEqual, expectTrue } from '#scenarios/harness/expectations.ts'
import { broken, defineCheck, held } from '../../../kit/check.ts'
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
  decides:
    'Every documented field is there with its value, and the one algorithm alone; issuer is the address that was asked. Further response types and grants are a warning.',
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
    const lists = { response_types_supported: 'code', grant_types_supported: 'authorization_code' }
    for (const [name, due] of Object.entries(lists)) {
      const values = [document[name]].flat()
      expectTrue(`${name} has ${due}`, values.includes(due), values)
    }
    const algorithms = document.id_token_signing_alg_values_supported
    expectEqual('id_token_signing_alg_values_supported', algorithms, ['RS256'])
    const more = Object.entries(lists).flatMap(([name, due]) => {
      return [document[name]]
        .flat()
        .flatMap((value) => (value === due ? [] : [`${name}: ${value}`]))
    })
    return more.length === 0
      ? held('All documented fields are there.')
      : broken(`The document has more than is documented: ${more.join(', ')}`, {
          level: 'practice',
        })
  },
})
