import { isDeepStrictEqual } from 'node:util'
import { z } from 'zod'
import { type Power, zPower } from '#core/power/power.ts'
import { allHeld, broken, defineCheck, held } from '../../../kit/check.ts'
import { evaluateCredential, type ObtainedCredential, obtainCredential } from '../credentials.ts'
import type { IssuerContext } from '../issuer-context.ts'
import { obtainOrdered } from '../obtain-ordered.ts'
import { requestOwnOffer, signIn, smallPower } from '../portal-steps.ts'

export const check = defineCheck<IssuerContext>({
  id: 'I62',
  title: 'The credential contains the requested powers, and at least one',
  level: 'spec',
  expectation: 'accept',
  rows: [
    '1.resources-and-their-fields/credential-schema-rules-checked-on-presentation.1',
    '1.limits.5',
    '1.endpoints/credential-issuer.4',
  ],
  description:
    'The mandate defines what its holder may do: an additional power allows what was never granted.',
  sends:
    'Accepts an offer as documented. If the target has a portal, requests one action of one power and accepts that offer as well.',
  decides:
    'mandate.power is an array with at least one element; with the portal these are the requested powers, in any order and with any additional members. If two offers of the portal yield no credential and no rejection, but other offers a credential, that is a WARN.',
  fix: 'Copy the requested powers unchanged into mandate.power, an array with at least one element. Do not add default powers.',
  async run(context) {
    const first = await obtainCredential(context)
    const finding = await evaluateCredential(context, first, (rule) => rule === 'credential.power')
    if (finding.kind !== 'held' || !context.can('portal')) return finding
    const signedIn = await signIn(context.portal())
    const expected = smallPower(signedIn.portal)
    const actual = powerIn(await obtainOrdered(context, () => requestOwnOffer(signedIn, expected)))
    const verdictSource = 'mandate.power of the credential'
    return isSamePowers(actual, expected)
      ? allHeld([finding, held('These are the requested powers.')])
      : broken('The powers are not the requested ones.', { expected, actual, verdictSource })
  },
})

/** Compares as sets: the order and any other members of a power are the issuer's choice. */
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
