import type { ParsedJws } from '#core/crypto/jws.ts'
import { membersOf } from '#core/json/json-object.ts'
import type { ReadAttribute, ResolveDidDocument } from '#core/verification/lookup.ts'
import {
  type CheckedRule,
  conclude,
  evaluateRules,
  type Lookup,
  type Rule,
  type RuleResults,
  type RuleText,
  uncheckedBy,
  type VerificationFailure,
} from '#core/verification/rules.ts'
import type { VerificationCache } from '#core/verification/verification-cache.ts'
import { readAccreditationBody, zAccreditation } from './accreditation.ts'
import { accreditationRules, type TrustHop, trustBodyRules } from './accreditation-rules.ts'
import {
  type AttributeReference,
  parseAttributeId,
  parseTermsOfUse,
  type TirAttribute,
  type TirEnvironment,
} from './tir-attribute.ts'

interface WalkTrustChainOptions extends TirEnvironment {
  /** Where the walk starts: the issuer's accreditation. */
  readonly start: AttributeReference
  /** The credential type that every accreditation must cover. */
  readonly credentialType: string
  /** DIDs of the roots that are trusted. */
  readonly rootDids: readonly string[]
  /** Unix seconds. */
  readonly now: number
  readonly readAttribute: ReadAttribute
  readonly resolveDidDocument: ResolveDidDocument
  readonly cache?: VerificationCache | undefined
}

/** A step of the walk, for explanations. */
export interface TrustStep extends AttributeReference {
  readonly issuerType: string
  readonly tao: string
}

export interface TrustChainResult {
  readonly ok: boolean
  readonly failures: readonly VerificationFailure[]
  readonly checked: readonly CheckedRule[]
  /** From the issuer upwards, up to the last accreditation found. */
  readonly steps: readonly TrustStep[]
}

const mostHops = 8

/**
 * Walks from an issuer's accreditation to the root and evaluates the rules of every hop; a failure
 * on a hop does not end the walk; a parent that cannot be found does. Rules in addition to
 * `accreditationRules`: `trust.attribute`, `trust.parent`, `trust.root`, `trust.length`,
 * `trust.cycle`. Paths start with `hops[n]`, 0 being the issuer's own accreditation.
 *
 * @assumption A-18
 * @row 1.resources-and-their-fields/credential-schema-rules-checked-on-presentation.8
 */
export async function walkTrustChain(options: WalkTrustChainOptions): Promise<TrustChainResult> {
  const failures: VerificationFailure[] = []
  const checked: CheckedRule[] = []
  const steps: TrustStep[] = []
  const visited = new Set<string>()
  const read = ({ did, attributeId }: AttributeReference) => options.readAttribute(did, attributeId)

  const report = (
    text: RuleText,
    reason?: string,
    path = '',
    mark: Pick<VerificationFailure, 'unchecked'> = {},
  ) => {
    const own = reason === undefined ? [] : [{ rule: text.rule, reason, path, ...mark }]
    checked.push({ ...conclude(text, own), path })
    failures.push(...own)
  }

  let here = options.start
  let found = await read(here)
  for (;;) {
    const index = steps.length
    const path = `hops[${index}]`
    visited.add(placeOf(here))
    const problem = found.ok ? answersFor(here, found.value) : found.reason
    const mark = found.ok ? {} : uncheckedBy(found)
    report(chainRules.attribute, problem, path, mark)
    if (!found.ok || problem !== undefined) break

    const { value } = found
    const { attribute } = value
    const isLast = isTop(here.did, attribute)
    const body = readAccreditationBody(attribute.body)
    const parent = isLast ? undefined : findParent(options, attribute, body)
    const isKnown = parent !== undefined && visited.has(placeOf(parent))
    const continues = parent !== undefined && !isKnown && index + 1 < mostHops
    // The signer and the parent are read in parallel: the walk continues after any failure.
    const [taoDocument, above] = await Promise.all([
      options.resolveDidDocument(attribute.tao),
      continues ? read(parent) : undefined,
    ])
    const { credentialType, now, cache } = options
    const hop = { ...here, index, attribute, body, taoDocument, credentialType, now, cache }
    const results = evaluateRules(accreditationRules, hop)
    failures.push(...results.failures.map((failure) => below(path, failure)))
    checked.push(...results.checked.map((entry) => ({ ...entry, path })))
    steps.push({ ...here, issuerType: attribute.issuerType, tao: attribute.tao })

    if (isLast) {
      const rootProblem = findRootProblem(options, here, steps.length, value)
      const isUnknown = options.rootDids.length === 0
      report(chainRules.root, rootProblem, '', isUnknown ? notAsked : {})
      break
    }
    const unknown = parent ? undefined : 'its parent accreditation could not be determined'
    report(chainRules.parent, unknown, `${path}.attribute`)
    if (!parent) break
    const next = `hops[${index + 1}]`
    if (isKnown) {
      report(chainRules.cycle, `the chain returns to ${parent.did}`, next)
    } else if (!above) {
      report(chainRules.length, `the chain is longer than ${mostHops}`, next)
    }
    if (!above) break
    here = parent
    found = above
  }
  return { ok: failures.length === 0, failures, checked, steps }
}

/** The rules of the walk itself, in addition to those of each accreditation. */
export const chainRules = {
  attribute: {
    rule: 'trust.attribute',
    statement: 'The TIR of the environment contains the accreditation.',
    fix: 'Publish the accreditation in the TIR of this environment, or correct the DID and attributeId in termsOfUse.id.',
    path: '',
  },
  parent: {
    rule: 'trust.parent',
    statement: 'The accreditation names its parent accreditation.',
    fix: 'Publish the accreditation with the attributeIdTao of its TAO, or set its vc.termsOfUse.id to the accreditation of that TAO.',
    path: 'attribute',
  },
  root: {
    rule: 'trust.root',
    statement: 'The chain ends at a trusted root.',
    fix: 'Publish the accreditation below a trusted root, or add the root of this chain to the trusted roots. The rootTao of the root is the root itself.',
    path: '',
  },
  length: {
    rule: 'trust.length',
    statement: `The chain has at most ${mostHops} hops.`,
    fix: `Have an organization nearer to the root issue the accreditation, so that the chain has at most ${mostHops} hops.`,
    path: '',
  },
  cycle: {
    rule: 'trust.cycle',
    statement: 'The chain contains no cycle.',
    fix: 'Have an organization nearer to the root issue one of the accreditations in the cycle.',
    path: '',
  },
} satisfies Readonly<Record<string, RuleText>>

const notAsked = { unchecked: 'not-asked' } as const

const placeOf = ({ did, attributeId }: AttributeReference) => `${did} ${attributeId}`

function answersFor({ did, attributeId }: AttributeReference, read: TirAttribute) {
  const fits = read.did === did && parseAttributeId(read.attribute.hash) === attributeId
  return fits ? undefined : 'the TIR returned a different accreditation'
}

/** A revoked root no longer shows its role. It is its own TAO. */
function isTop(did: string, { issuerType, tao }: TirAttribute['attribute']): boolean {
  return issuerType === 'RTAO' || (issuerType === 'REVOKED' && tao === did)
}

function findRootProblem(
  { rootDids }: WalkTrustChainOptions,
  { did }: AttributeReference,
  hops: number,
  { attribute }: TirAttribute,
): string | undefined {
  if (rootDids.length === 0) return 'no root of trust is configured'
  if (!rootDids.includes(did)) return `${did}, ${hops} hop(s) up, is not a trusted root`
  return attribute.rootTao === did
    ? undefined
    : 'the TIR names a different root for the root itself'
}

function findParent(
  environment: TirEnvironment,
  attribute: TirAttribute['attribute'],
  body: ParsedJws | undefined,
): AttributeReference | undefined {
  if (attribute.attributeIdTao !== undefined) {
    const attributeId = parseAttributeId(attribute.attributeIdTao)
    return attributeId ? { did: attribute.tao, attributeId } : undefined
  }
  // If the registry omits the parent's attribute, use the accreditation's termsOfUse, if it names
  // the same TAO.
  const { termsOfUse } = membersOf(body?.payload.vc)
  const parent = parseTermsOfUse(termsOfUse, environment)
  return parent?.did === attribute.tao ? parent : undefined
}

function below(path: string, failure: VerificationFailure): VerificationFailure {
  return { ...failure, path: failure.path === '' ? path : `${path}.${failure.path}` }
}

export interface EvaluateAccreditationOptions extends Omit<WalkTrustChainOptions, 'start'> {
  /** The accreditation's JWT, parsed. */
  readonly jws: ParsedJws
}

/**
 * Evaluates an accreditation without a credential: whether the TIR contains it
 * (`accreditation.published`), its own rules (with paths that start with `given`), and the chain
 * above it in the TIR. If the TIR contains it, the first hop of the chain covers its own rules.
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
    : { ok: false, kind: 'not-found', reason: 'it does not name its attribute' }
  const published = evaluateRules([publishedRule], { jws, attribute })
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

/** The rule for an accreditation that is given without the TIR. */
export const publishedRule: Rule<PublishedContext> = {
  rule: 'accreditation.published',
  statement: 'The TIR contains this accreditation, in the attribute that it was created for.',
  fix: 'Publish the accreditation under its reservedAttributeId with setAttributeMetadata, then setAttributeData.',
  path: 'vc.credentialSubject.reservedAttributeId',
  evaluate: ({ jws, attribute }, { fail, lack }) => {
    if (!attribute.ok) lack(attribute)
    else if (!isSame(jws, readAccreditationBody(attribute.value.attribute.body))) {
      fail('the TIR contains a different accreditation at this address')
    }
  },
}

interface PublishedContext {
  readonly jws: ParsedJws
  readonly attribute: Lookup<TirAttribute>
}

function isSame(one: ParsedJws, other: ParsedJws | undefined): boolean {
  if (one.signingInput !== other?.signingInput) return false
  return Buffer.compare(one.signature, other.signature) === 0
}
