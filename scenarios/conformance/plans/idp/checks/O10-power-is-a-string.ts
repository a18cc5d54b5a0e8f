import { expectEqual, expectTrue } from '#scenarios/harness/expectations.ts'
import { defineCheck } from '../../../define-check.ts'
import { held } from '../../../finding.ts'
import { mandate } from '../../../world/create-trust-world.ts'
import type { IdpContext } from '../context.ts'
import { readClaims } from '../read-claims.ts'

export const check = defineCheck<IdpContext>({
  id: 'O10',
  title: 'The claim power is a string that holds the serialized list',
  level: 'spec',
  expectation: 'accept',
  rows: ['1.resources-and-their-fields/idp-id-token-claims.2'],
  description:
    'Token issuers map claims of one value; a list is dropped or split by them, and with it what a person may do.',
  sends: 'A whole login.',
  decides:
    'The id_token (or userinfo) has power as a text whose JSON is the list of powers of the credential.',
  async run(context) {
    const { power } = await readClaims(context)
    expectTrue('power is a string', typeof power === 'string', power)
    expectEqual('the list in it', JSON.parse(String(power)), mandate.power)
    return held('power is the serialized list.')
  },
})
