import { parseJws } from '#core/crypto/jws.ts'
import { membersOf } from '#core/json/json-object.ts'
import { zImmediateCredentialResponse } from '#core/oid4vci/credential-response.ts'
import { defineCheck, endCheck, findEach, inconclusive } from '../../../kit/check.ts'
import { asPremise } from '../../../kit/classify-answer.ts'
import { evaluateCredential, type ObtainedCredential, obtainCredential } from '../credentials.ts'
import { defer } from '../defer.ts'
import type { IssuerContext } from '../issuer-context.ts'
import { requestOwnOffer, signIn } from '../portal-steps.ts'

export const check = defineCheck<IssuerContext>({
  id: 'I176',
  title: 'The credential of every kind of offer meets the rules of verifiers',
  level: 'practice',
  expectation: 'accept',
  rows: ['1.resources-and-their-fields/credential-schema-rules-checked-on-presentation.6'],
  description:
    'An issuer often creates a deferred credential, or one for a portal, in other code than the usual one. A mistake there shows only when the holder logs in.',
  sends:
    'Accepts an offer of create-offer, then those that the target supports: by reference, with a PIN, of the portal, and, if the clock can be moved, with a deferred credential.',
  decides:
    'Each credential meets all rules of verifiers that the credential of create-offer meets: signature, issuer, types, validity, holder, powers, accreditation and status.',
  fix: 'Create the credentials of all offers in the same code: deferred ones, and those that a portal orders, with the same members, key and validity as all other ones.',
  needs: ['trust'],
  async run(context) {
    const usual = await obtainCredential(context)
    const first = await evaluateCredential(context, usual, () => true)
    if (first.kind === 'inconclusive') return first
    const known = first.failures?.map(({ rule }) => rule) ?? []
    const kinds = (['reference', 'pin'] as const).filter((kind) => context.can(kind))
    const offers = [
      ...kinds.map((kind) => ({ what: kind, obtain: () => obtainCredential(context, { kind }) })),
      ...(context.can('portal') ? [{ what: 'portal', obtain: () => obtainOfPortal(context) }] : []),
      ...(context.can('deferred') && context.can('clock')
        ? [{ what: 'deferred', obtain: () => obtainDeferred(context) }]
        : []),
    ]
    return findEach(offers, async ({ what, obtain }) => {
      const isNew = (rule: string) => !known.includes(rule)
      const finding = await evaluateCredential(context, await obtain(), isNew)
      const found =
        finding.kind === 'held' ? 'its credential meets the same rules.' : finding.reason
      return { ...finding, reason: `Offer (${what}): ${found}` }
    })
  },
})

async function obtainOfPortal(context: IssuerContext): Promise<ObtainedCredential> {
  const ordering = requestOwnOffer(await signIn(context.portal()))
  const made = await asPremise('requesting a credential (see I62)', ordering)
  return obtainCredential(context, { made })
}

async function obtainDeferred(context: IssuerContext): Promise<ObtainedCredential> {
  const { session, poll } = await defer(context)
  const [entry] = session.resolved.offered
  await context.advanceClock(context.deferredSeconds + 1)
  const answer = zImmediateCredentialResponse.safeParse((await poll()).json)
  const jwt = answer.data?.credential ?? ''
  const jws = parseJws(jwt)
  if (!jws.ok || entry === undefined) {
    endCheck(inconclusive('The deferred credential was not delivered: see I68.'))
  }
  return { jwt, jws, vc: membersOf(jws.payload.vc), entry, wallet: session.wallet }
}
