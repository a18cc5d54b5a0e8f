import { expectEqual, expectTrue } from '#scenarios/harness/expectations.ts'
import { defineCheck } from '../../../define-check.ts'
import { held } from '../../../finding.ts'
import { mandate } from '../../../world/create-trust-world.ts'
import type { IdpContext } from '../context.ts'
import { readClaims } from '../read-claims.ts'

export const check = defineCheck<IdpContext>({
  id: 'O11',
  title: 'All documented claims reach the relying party',
  level: 'spec',
  expectation: 'accept',
  rows: ['1.resources-and-their-fields/idp-id-token-claims.1'],
  description: 'What the credential says of a person is what the relying party decides by.',
  sends: 'A whole login with the scopes of the target.',
  decides:
    'id_token and userinfo together hold every documented claim, with the values of the credential.',
  async run(context) {
    const claims = await readClaims(context)
    const { mandator, mandatee } = mandate
    for (const name of ['sub', 'name', 'preferred_username', 'user_identifier', 'power']) {
      expectTrue(`${name} is there`, claims[name] !== undefined)
    }
    expectEqual('email', claims.email, mandatee.email)
    expectEqual('given_name', claims.given_name, mandatee.firstName)
    expectEqual('family_name', claims.family_name, mandatee.lastName)
    expectEqual('organization', claims.organization, mandator.organization)
    const { organization_identifier } = claims
    expectEqual('organization_identifier', organization_identifier, mandator.organizationIdentifier)
    return held('Every documented claim is there.')
  },
})
