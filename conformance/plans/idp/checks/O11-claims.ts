import { expectEqual } from '#scenarios/harness/expectations.ts'
import { broken, defineCheck, held } from '../../../kit/check.ts'
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
    'id_token and userinfo together hold every documented claim, and organization_identifier as the credential has it. Other values than those of the credential are a warning, as mappers are configured.',
  async run(context) {
    const claims = await readClaims(context)
    const { mandator, mandatee } = mandate
    const names = ['sub', 'name', 'preferred_username', 'user_identifier', 'power']
    const due = {
      organization_identifier: mandator.organizationIdentifier,
      email: mandatee.email,
      given_name: mandatee.firstName,
      family_name: mandatee.lastName,
      organization: mandator.organization,
    }
    const isMissing = (name: string) => [undefined, null, ''].includes(claims[name] as string)
    expectEqual('missing claims', [...names, ...Object.keys(due)].filter(isMissing), [])
    const { organization_identifier } = claims
    expectEqual('organization_identifier', organization_identifier, due.organization_identifier)
    const others = Object.entries(due).filter(([name, value]) => claims[name] !== value)
    return others.length === 0
      ? held('Every documented claim is there.')
      : broken(`Not as in the credential: ${others.map(([name]) => name).join(', ')}`, {
          expected: due,
          actual: claims,
          level: 'practice',
        })
  },
})
