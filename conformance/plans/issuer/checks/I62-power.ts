import { isDeepStrictEqual } from 'node:util'
import { z } from 'zod'
import { type Power, zPower } from '#core/power/power.ts'
import { allHeld, broken, defineCheck, held } from '../../../kit/check.ts'
import { judgeCredential, type ObtainedCredential, obtainCredential } from '../credentials.ts'
import type { IssuerContext } from '../issuer-context.ts'
import { requestOwnOffer, signIn, smallPower } from '../portal-steps.ts'

export const check = defineCheck<IssuerContext>({
  id: 'I62',
  title: 'The credential holds the powers that were asked for, and never none',
  level: 'spec',
  expectation: 'accept',
  rows: [
    '1.resources-and-their-fields/credential-schema-rules-checked-on-presentation.1',
    '1.limits.5',
    '1.endpoints/credential-issuer.4',
  ],
  description:
    'What is in the mandate is what its holder may do: one power more, and they may do what nobody granted.',
  sends:
    'Takes an offer as documented; where the target has a portal, asks for one action of one power and takes that offer as well.',
  decides:
    'mandate.power is an array with an element; by the portal these are the powers that were asked for, in whatever order and with whatever members beside.',
  async run(context) {
    const first = await obtainCredential(context)
    const finding = await judgeCredential(context, first, (rule) => rule === 'credential.power')
    if (finding.kind !== 'held' || !context.can('portal')) return finding
    const signedIn = await signIn(context.portal())
    const expected = smallPower(signedIn.portal)
    const made = await requestOwnOffer(signedIn, expected)
    const actual = powerIn(await obtainCredential(context, { made }))
    const verdictSource = 'mandate.power of the credential'
    return isSamePowers(actual, expected)
      ? allHeld([finding, held('It is what the portal asked for.')])
      : broken('The powers are not those that were asked for.', { expected, actual, verdictSource })
  },
})

/** As sets: in what order they stand, and what else a power holds, is the issuer's. */
function isSamePowers(actual: unknown, expected: readonly Power[]): boolean {
  const powers = z.array(zPower).safeParse(actual)
  return powers.success && isDeepStrictEqual(asSet(powers.data), asSet(expected))
}

const asSet = (powers: readonly Power[]) =>
  new Set(powers.map((power) => ({ ...power, action: new Set(power.action) })))

function powerIn({ vc }: ObtainedCredential): unknown {
  const subject = vc.credentialSubject as { mandate?: { power?: unknown } } | undefined
  return subject?.mandate?.power
}
