import type { DidDocument } from '#core/did/z-did-document.ts'
import type { VerificationFailure } from '#core/errors/verification-failure.ts'
import { type CheckedRule, evaluateRules } from '#core/verification/evaluate-rules.ts'
import type { Lookup, ReadAttribute, ResolveDidDocument } from '#core/verification/lookup.ts'
import { accreditationRules, type TrustHop } from './accreditation-rules.ts'
import { parseAttributeId } from './attribute-id.ts'
import {
  type AttributeReference,
  parseTermsOfUse,
  type TirEnvironment,
} from './parse-terms-of-use.ts'
import { readAccreditationBody } from './read-accreditation-body.ts'
import type { TirAttribute } from './z-tir-attribute.ts'

export interface WalkTrustChainOptions extends TirEnvironment {
  /** Where the walk starts: the issuer's accreditation. */
  readonly start: AttributeReference
  /** The credential type that every accreditation has to cover. */
  readonly credentialType: string
  /** DIDs of the roots that are trusted. */
  readonly rootDids: readonly string[]
  /** Unix seconds. */
  readonly now: number
  readonly readAttribute: ReadAttribute
  readonly resolveDidDocument: ResolveDidDocument
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
  /** From the issuer upwards, as far as the walk came. */
  readonly steps: readonly TrustStep[]
}

const mostHops = 8

/**
 * Walks from an issuer's accreditation to the root and evaluates the rules of every hop; what breaks
 * on a hop does not end the walk, only a parent that can't be found does. Rules beside those of
 * `accreditationRules`: `trust.attribute`, `trust.parent`, `trust.root`, `trust.length`,
 * `trust.cycle`. Paths start with `hops[n]`, 0 being the issuer's own accreditation.
 *
 * @assumption A-18
 */
export async function walkTrustChain(options: WalkTrustChainOptions): Promise<TrustChainResult> {
  const failures: VerificationFailure[] = []
  const checked: CheckedRule[] = []
  const steps: TrustStep[] = []
  const visited = new Set<string>()
  let next: AttributeReference | undefined = options.start

  const conclude = (rule: string, statement: string, reason?: string, path = '', got?: unknown) => {
    checked.push({ rule, path, statement, passed: reason === undefined, notes: [] })
    if (reason !== undefined) {
      failures.push({ rule, reason, path, ...(got === undefined ? {} : { got }) })
    }
  }

  while (next) {
    const index: number = steps.length
    const here: AttributeReference = next
    const path = `hops[${index}]`
    const place = `${here.did} ${here.attributeId}`
    if (visited.has(place)) {
      conclude('trust.cycle', statements.cycle, `the chain returns to ${here.did}`, path)
      break
    }
    if (index === mostHops) {
      conclude('trust.length', statements.length, `the chain is longer than ${mostHops}`, path)
      break
    }
    visited.add(place)

    const read: Lookup<TirAttribute> = await options.readAttribute(here.did, here.attributeId)
    const problem: string | undefined = read.ok ? answersFor(here, read.value) : read.reason
    conclude('trust.attribute', statements.attribute, problem, path)
    if (!read.ok || problem !== undefined) break

    const { attribute } = read.value
    const hop = await createHop(options, here, index, attribute)
    const results = await evaluateRules(accreditationRules, hop)
    failures.push(...results.failures.map((failure) => below(path, failure)))
    checked.push(...results.checked.map((entry) => ({ ...entry, path })))
    steps.push({ ...here, issuerType: attribute.issuerType, tao: attribute.tao })

    if (isTop(here.did, attribute)) {
      conclude(
        'trust.root',
        statements.root,
        findRootProblem(options, here, steps.length, read.value),
      )
      break
    }
    next = findParent(options, hop)
    const problemWithParent = next ? undefined : 'its parent accreditation can not be told'
    conclude('trust.parent', statements.parent, problemWithParent, `${path}.attribute`)
  }
  return { ok: failures.length === 0, failures, checked, steps }
}

const statements = {
  attribute: 'The TIR of the environment holds the accreditation.',
  parent: 'The accreditation names the one that it was made under.',
  root: 'The chain ends at a trusted root.',
  length: `The chain has at most ${mostHops} hops.`,
  cycle: 'The chain does not return to itself.',
}

async function createHop(
  { credentialType, now, resolveDidDocument }: WalkTrustChainOptions,
  { did, attributeId }: AttributeReference,
  index: number,
  attribute: TirAttribute['attribute'],
): Promise<TrustHop> {
  const taoDocument: Lookup<DidDocument> = await resolveDidDocument(attribute.tao)
  const body = readAccreditationBody(attribute.body)
  return { index, did, attributeId, attribute, body, taoDocument, credentialType, now }
}

function answersFor({ did, attributeId }: AttributeReference, read: TirAttribute) {
  const fits = read.did === did && parseAttributeId(read.attribute.hash) === attributeId
  return fits ? undefined : 'the TIR answered with another accreditation'
}

/** A revoked root shows no role any more; it is known by standing above itself. */
function isTop(did: string, { issuerType, tao }: TirAttribute['attribute']): boolean {
  return issuerType === 'RTAO' || (issuerType === 'REVOKED' && tao === did)
}

function findRootProblem(
  { rootDids }: WalkTrustChainOptions,
  { did }: AttributeReference,
  hops: number,
  { attribute }: TirAttribute,
): string | undefined {
  if (!rootDids.includes(did)) return `${did}, ${hops} hop(s) up, is no trusted root`
  return attribute.rootTao === did ? undefined : 'the TIR names another root for the root itself'
}

function findParent(
  environment: TirEnvironment,
  { attribute, body }: TrustHop,
): AttributeReference | undefined {
  if (attribute.attributeIdTao !== undefined) {
    const attributeId = parseAttributeId(attribute.attributeIdTao)
    return attributeId ? { did: attribute.tao, attributeId } : undefined
  }
  // A registry that does not tell the parent's attribute: the accreditation's own word, if it names
  // the TAO that the registry names.
  const vc = body?.payload.vc
  const termsOfUse =
    typeof vc === 'object' && vc !== null && 'termsOfUse' in vc ? vc.termsOfUse : undefined
  const parent = parseTermsOfUse(termsOfUse, environment)
  return parent?.did === attribute.tao ? parent : undefined
}

function below(path: string, failure: VerificationFailure): VerificationFailure {
  return { ...failure, path: failure.path === '' ? path : `${path}.${failure.path}` }
}
