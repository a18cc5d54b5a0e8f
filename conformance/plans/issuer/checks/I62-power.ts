import { allHeld, broken, defineCheck, findEach, held } from '../../../kit/check.ts'
import { asPremise } from '../../../kit/classify-answer.ts'
import { evaluateCredential, isSamePowers, mandateOf, obtainCredential } from '../credentials.ts'
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
    'Accepts an offer as documented. If the target has a portal, requests one action of one power, then all powers, and accepts these offers as well.',
  decides:
    'mandate.power is an array with at least one element; with the portal these are the requested powers, in any order and grouping, and with any additional members. If two offers of the portal yield no credential and no rejection, but other offers a credential, that is a WARN.',
  fix: 'Copy the requested powers unchanged into mandate.power, an array with at least one element. Do not add default powers.',
  async run(context) {
    const first = await obtainCredential(context)
    const finding = await evaluateCredential(context, first, (rule) => rule === 'credential.power')
    if (finding.kind !== 'held' || !context.can('portal')) return finding
    const signedIn = await signIn(context.portal())
    const { power: all } = signedIn.portal
    const verdictSource = 'mandate.power of the credential'
    const found = await findEach([smallPower(signedIn.portal), all], async (expected) => {
      if (expected === all) {
        await asPremise('requesting all powers (see I145)', requestOwnOffer(signedIn, all))
      }
      const order = () => requestOwnOffer(signedIn, expected)
      const actual = mandateOf(await obtainOrdered(context, order))?.power
      return isSamePowers(actual, expected)
        ? held('These are the requested powers.', { verdictSource })
        : broken('The powers are not the requested ones.', { expected, actual, verdictSource })
    })
    return found.kind === 'held' ? allHeld([finding, found]) : found
  },
})
