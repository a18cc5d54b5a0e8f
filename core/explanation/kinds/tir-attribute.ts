import { parseDidOrg } from '#core/did/did-org.ts'
import { parseAttributeId } from '#core/trust/attribute-id.ts'
import { readAccreditationBody } from '#core/trust/read-accreditation-body.ts'
import { tirAttributeShape } from '#core/trust/tir-attribute-shape.ts'
import { walkTrustChain } from '#core/trust/walk-trust-chain.ts'
import { type TirAttribute, zTirAttribute } from '#core/trust/z-tir-attribute.ts'
import { evaluateRules, type Rule } from '#core/verification/evaluate-rules.ts'
import type { Lookup, ReadAttribute } from '#core/verification/lookup.ts'
import { evaluateShape } from '#core/verification/shape-rules.ts'
import type { ExplainOptions } from '../explain-options.ts'
import { type ExplainableKind, type ExplainedContent, notRecognised } from '../explainable-kind.ts'
import { factsOf } from '../facts-of.ts'
import { judgeIn } from '../judge-in.ts'
import { asObject, type JsonObject } from '../read-input.ts'
import { accreditationFacts } from './accreditation.ts'

/** An attribute as the TIR serves it: an accreditation with its place in the registry. */
export const tirAttributeKind: ExplainableKind = {
  kind: 'tir-attribute',
  title: 'accreditation in a TIR',
  recognise: ({ json, jsonProblem }) => {
    if (!json) return notRecognised(`it is no JSON object: ${jsonProblem}`)
    if (!asObject(json.attribute)) return notRecognised('the JSON has no attribute')
    return { ok: true, by: 'JSON with attribute', explain: (options) => explain(json, options) }
  },
}

async function explain(value: JsonObject, options: ExplainOptions): Promise<ExplainedContent> {
  const parsed = zTirAttribute.safeParse(value)
  const shape = evaluateShape(tirAttributeShape, parsed)
  if (!parsed.success) return { ...shape, facts: [], content: value }
  const given = parsed.data
  const { did, attribute } = given
  const start = { did, attributeId: parseAttributeId(attribute.hash) ?? attribute.hash }
  const { policy, sources } = judgeIn(options, parseDidOrg(did)?.environment ?? 'pre')
  const readNow = sources.readAttribute(did, start.attributeId)
  const chain = await walkTrustChain({
    ...policy,
    start,
    credentialType: policy.acceptedType,
    now: options.now,
    readAttribute: givenFirst(given, start.attributeId, sources.readAttribute),
    resolveDidDocument: sources.resolveDidDocument,
  })
  const current = evaluateRules([currentRule(given)], await readNow)
  const body = readAccreditationBody(attribute.body)
  return {
    failures: [...current.failures, ...chain.failures],
    checked: [...shape.checked, ...current.checked, ...chain.checked],
    facts: [
      ...factsOf([
        ['Role', attribute.issuerType],
        ['Root', attribute.rootTao],
      ]),
      ...accreditationFacts(body?.payload ?? {}),
    ],
    content: body ? { ...value, body: { header: body.header, payload: body.payload } } : value,
  }
}

/** The walk begins with what was handed over, and goes on with what the TIR says. */
function givenFirst(given: TirAttribute, id: string, ask: ReadAttribute): ReadAttribute {
  return async (did, attributeId) =>
    did === given.did && attributeId === id ? { ok: true, value: given } : ask(did, attributeId)
}

const currentRule = ({ attribute: given }: TirAttribute): Rule<Lookup<TirAttribute>> => ({
  rule: 'accreditation.current',
  statement: 'The TIR says the same now.',
  path: 'attribute',
  evaluate: (lookup, { fail, lack }) => {
    if (!lookup.ok) {
      lack(lookup)
      return
    }
    for (const name of ['issuerType', 'tao', 'rootTao', 'body'] as const) {
      const now = lookup.value.attribute[name]
      const shown = name === 'body' ? undefined : now
      if (now !== given[name]) fail('the TIR has another one now', `attribute.${name}`, shown)
    }
  },
})
