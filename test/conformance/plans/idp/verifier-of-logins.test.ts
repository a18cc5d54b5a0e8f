import { expect, it } from 'vitest'
import { broken, type Check } from '#conformance/kit/check.ts'
import type { IdpContext } from '#conformance/plans/idp/context.ts'
import { findThroughLogins } from '#conformance/plans/idp/verifier-of-logins.ts'
import type { VerifierContext } from '#conformance/plans/verifier/context.ts'

it('gives each failure of a check of the verifier plan its id and level', async () => {
  const also = [broken('Another one.'), broken('Bad style.', { level: 'practice' })]
  const check = { id: 'V01', level: 'final', run: async () => broken('One.', { also }) }
  const finding = await findThroughLogins({} as IdpContext, [
    check as unknown as Check<VerifierContext>,
  ])
  expect([finding, ...(finding.also ?? [])].map(({ reason, level }) => [reason, level])).toEqual([
    ['V01 of the verifier plan: One.', 'final'],
    ['V01 of the verifier plan: Another one.', 'final'],
    ['V01 of the verifier plan: Bad style.', 'practice'],
  ])
})
