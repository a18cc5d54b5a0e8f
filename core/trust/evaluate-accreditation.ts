import type { ParsedJws } from '#core/crypto/parse-jws.ts'
import { evaluateRules, type Rule, type RuleResults } from '#core/verification/evaluate-rules.ts'
import type { Lookup } from '#core/verification/lookup.ts'
import { type TrustHop, trustBodyRules } from './accreditation-rules.ts'
import { parseAttributeId } from './attribute-id.ts'
import { readAccreditationBody } from './read-accreditation-body.ts'
import { type WalkTrustChainOptions, walkTrustChain } from './walk-trust-chain.ts'
import { zAccreditation } from './z-accreditation.ts'
import type { TirAttribute } from './z-tir-attribute.ts'

export interface EvaluateAccreditationOptions extends Omit<WalkTrustChainOptions, 'start'> {
  /** The accreditation's JWT, taken apart. */
  readonly jws: ParsedJws
}

/**
 * Evaluates an accreditation that was handed over by itself: whether the TIR holds it
 * (`accreditation.published`), its own rules (with paths that start with `given`), and the chain above
 * it as the TIR has it. Where the TIR holds it, its own rules are those of the chain's first hop.
 *
 * @assumption A-17 A-18
 */
export async function evaluateAccreditation(
  options: EvaluateAccreditationOptions,
): Promise<RuleResults> {
  const { jws, credentialType, now } = options
  const accreditation = zAccreditation.safeParse(jws.payload)
  const subject = accreditation.data?.vc.credentialSubject
  const attributeId = parseAttributeId(subject?.reservedAttributeId ?? '')
  const start = subject && attributeId ? { did: subject.id, attributeId } : undefined
  const attribute: Lookup<TirAttribute> = start
    ? await options.readAttribute(start.did, start.attributeId)
    : { ok: false, kind: 'not-found', reason: 'it does not say which attribute holds it' }
  const published = evaluateRules([publishedRule(jws)], attribute)
  const chain = start ? await walkTrustChain({ ...options, start }) : { failures: [], checked: [] }
  const isPublished = published.failures.length === 0
  const tao = accreditation.data?.iss ?? ''
  const hop: TrustHop = {
    index: 0,
    did: start?.did ?? '',
    attributeId: attributeId ?? '',
    attribute: { body: '', hash: attributeId ?? '', issuerType: 'TI', rootTao: '', tao },
    body: jws,
    taoDocument: await options.resolveDidDocument(tao),
    credentialType,
    now,
  }
  const own = isPublished ? { failures: [], checked: [] } : evaluateRules(trustBodyRules, hop)
  return {
    failures: [
      ...published.failures,
      ...own.failures.map((failure) => ({ ...failure, path: `given.${failure.path}` })),
      ...chain.failures,
    ],
    checked: [
      ...published.checked,
      ...own.checked.map((entry) => ({ ...entry, path: 'given' })),
      ...chain.checked,
    ],
  }
}

const publishedRule = (jws: ParsedJws): Rule<Lookup<TirAttribute>> => ({
  rule: 'accreditation.published',
  statement: 'The TIR holds this accreditation, in the attribute that it was made for.',
  path: 'vc.credentialSubject.reservedAttributeId',
  evaluate: (attribute, { fail, lack }) => {
    if (!attribute.ok) lack(attribute)
    else if (!isSame(jws, readAccreditationBody(attribute.value.attribute.body))) {
      fail('the TIR holds another one there')
    }
  },
})

function isSame(one: ParsedJws, other: ParsedJws | undefined): boolean {
  if (one.signingInput !== other?.signingInput) return false
  return Buffer.compare(one.signature, other.signature) === 0
}
