import { documentedMessages } from '#scenarios/fixtures/expect-issuer-refusal.ts'
import { defineCheck } from '../../../kit/define-check.ts'
import { expectPowersRefused } from '../flow/expect-powers-refused.ts'
import type { IssuerContext } from '../issuer-context.ts'

const never = 'never-granted-to-anybody'

export const check = defineCheck<IssuerContext>({
  id: 'I77',
  title: 'Powers that the organization may not grant are refused',
  level: 'spec',
  expectation: 'refuse',
  rows: ['1.errors.3', '1.resources-and-their-fields/power-object.6'],
  description: 'An organization could otherwise give itself whatever it likes.',
  sends: `POST /issuance/representative with a power of the target's, but for its domain, its function, or one more action, which is "${never}".`,
  decides: `Each is answered 400, and the answer says "${documentedMessages.powersNotAuthorized}". A power that may be granted brings an offer.`,
  needs: ['portal'],
  run(context) {
    const { power } = context.portal()
    const [granted] = power
    const powers = granted && {
      'another domain': [{ ...granted, domain: never }],
      'another function': [{ ...granted, function: never }],
      'another action': [{ ...granted, action: [...granted.action, never] }],
    }
    return expectPowersRefused(context, powers ?? {}, documentedMessages.powersNotAuthorized)
  },
})
