import { documentedMessages } from '#scenarios/fixtures/expect-issuer-refusal.ts'
import { defineCheck } from '../../../kit/define-check.ts'
import { expectPowersRefused } from '../flow/expect-powers-refused.ts'
import type { IssuerContext } from '../issuer-context.ts'

export const check = defineCheck<IssuerContext>({
  id: 'I78',
  title: 'A power without an action is refused, and so is a request without a power',
  level: 'spec',
  expectation: 'refuse',
  rows: ['1.resources-and-their-fields/power-object.4', '1.limits.4', '1.limits.5', '1.errors.2'],
  description: 'Every action of none is authorised: an empty list passes checks that forget it.',
  sends:
    "POST /issuance/representative with a power of the target's and no action, and with no power.",
  decides: `Each is answered 400, and the answer says "${documentedMessages.missingData}". A power with an action brings an offer.`,
  needs: ['portal'],
  run(context) {
    const [granted] = context.portal().power
    return expectPowersRefused(
      context,
      { 'a power without an action': [{ ...granted, action: [] }], 'no power': [] },
      documentedMessages.missingData,
    )
  },
})
