import { evaluateDidDocument } from '#core/did/did-document.ts'
import { environmentOfSigner, parseDidOrg, parseDidUrl } from '#core/did/did-org.ts'
import type { JsonObject } from '#core/json/json-object.ts'
import { plainReasons } from '#core/json/plain-issues.ts'
import { bitAt, decodeBitstring } from '#core/status-list/bitstring.ts'
import { statusListRules } from '#core/status-list/check-status.ts'
import {
  findStatusListForm,
  zStatusListCredential,
} from '#core/status-list/status-list-credential.ts'
import { readAccreditationBody, zAccreditation } from '#core/trust/accreditation.ts'
import {
  parseAttributeId,
  type TirAttribute,
  tirAttributeShape,
  zTirAttribute,
} from '#core/trust/tir-attribute.ts'
import { evaluateAccreditation, walkTrustChain } from '#core/trust/trust-chain.ts'
import { evaluateShape } from '#core/verification/evaluate-shape.ts'
import type { ReadAttribute } from '#core/verification/lookup.ts'
import { evaluateRules, type Lookup, type Rule } from '#core/verification/rules.ts'
import {
  type ExplainableKind,
  type ExplainedContent,
  type ExplainOptions,
  factsOf,
  notRecognised,
  timeOf,
} from '../explanation.ts'
import { createPolicyAndSources } from '../policy-and-sources.ts'
import { asObject, type InputJwt } from '../read-input.ts'

/** An accreditation: the JWT that a TAO signs. */
export const accreditationKind: ExplainableKind = {
  kind: 'accreditation',
  title: 'accreditation',
  recognise: ({ jwt, jwtProblem }) => {
    if (!jwt) return notRecognised(`it is not a JWT: ${jwtProblem}`)
    const subject = asObject(asObject(jwt.jws.payload.vc)?.credentialSubject)
    const name = ['accreditedFor', 'reservedAttributeId'].find(
      (member) => member in (subject ?? {}),
    )
    if (name === undefined) {
      return notRecognised('the JWT has no vc.credentialSubject.accreditedFor')
    }
    return {
      ok: true,
      by: `a JWT whose credentialSubject has ${name}`,
      explain: (options) => explainAccreditation(jwt, options),
    }
  },
}

async function explainAccreditation(
  { compact, jws }: InputJwt,
  options: ExplainOptions,
): Promise<ExplainedContent> {
  const { policy, sources } = createPolicyAndSources(options, environmentOfSigner(compact))
  const { failures, checked } = await evaluateAccreditation({
    ...policy,
    jws,
    credentialType: policy.acceptedType,
    now: options.now,
    ...sources,
  })
  return {
    failures,
    checked,
    facts: accreditationFacts(jws.payload),
    content: { header: jws.header, payload: jws.payload },
  }
}

/** The facts of an accreditation, from its payload. */
function accreditationFacts(payload: JsonObject) {
  const accreditation = zAccreditation.safeParse(payload)
  if (!accreditation.success) return []
  const { iss, exp, vc } = accreditation.data
  const { id, reservedAttributeId, accreditedFor } = vc.credentialSubject
  return factsOf([
    ['Accredits', id],
    ['For', accreditedFor.flatMap(({ types }) => types)],
    ['By', iss],
    ['Attribute', reservedAttributeId],
    ['Created', timeOf(payload.iat)],
    ['Valid until', vc.validUntil ?? timeOf(exp)],
  ])
}

/** An attribute as the TIR serves it: an accreditation with its place in the registry. */
export const tirAttributeKind: ExplainableKind = {
  kind: 'tir-attribute',
  title: 'accreditation in a TIR',
  recognise: ({ json, jsonProblem }) => {
    if (!json) return notRecognised(`it is not a JSON object: ${jsonProblem}`)
    if (!asObject(json.attribute)) return notRecognised('the JSON has no attribute')
    return { ok: true, by: 'JSON with attribute', explain: (options) => explain(json, options) }
  },
}

async function explain(value: JsonObject, options: ExplainOptions): Promise<ExplainedContent> {
  const parsed = zTirAttribute.safeParse(value, plainReasons)
  const shape = evaluateShape(tirAttributeShape, parsed)
  if (!parsed.success) return { ...shape, facts: [], content: value }
  const given = parsed.data
  const { did, attribute } = given
  const start = { did, attributeId: parseAttributeId(attribute.hash) ?? attribute.hash }
  const { policy, sources } = createPolicyAndSources(
    options,
    parseDidOrg(did)?.environment ?? 'pre',
  )
  const readNow = sources.readAttribute(did, start.attributeId)
  const chain = await walkTrustChain({
    ...policy,
    start,
    credentialType: policy.acceptedType,
    now: options.now,
    readAttribute: givenFirst(given, start.attributeId, sources.readAttribute),
    resolveDidDocument: sources.resolveDidDocument,
  })
  const current = evaluateRules([currentRule], { given, lookup: await readNow })
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

/** The walk begins with the given attribute and continues with those in the TIR. */
function givenFirst(given: TirAttribute, id: string, ask: ReadAttribute): ReadAttribute {
  return async (did, attributeId) =>
    did === given.did && attributeId === id ? { ok: true, value: given } : ask(did, attributeId)
}

/** The rule for an attribute that is given without the TIR. */
export const currentRule: Rule<CurrentContext> = {
  rule: 'accreditation.current',
  statement: 'The TIR returns the same attribute now.',
  fix: 'Read the attribute from the TIR again. It has changed.',
  path: 'attribute',
  evaluate: ({ given, lookup }, { fail, lack }) => {
    if (!lookup.ok) {
      lack(lookup)
      return
    }
    for (const name of ['issuerType', 'tao', 'rootTao', 'body'] as const) {
      const now = lookup.value.attribute[name]
      const shown = name === 'body' ? undefined : now
      if (now !== given.attribute[name])
        fail('the TIR has a different value now', `attribute.${name}`, shown)
    }
  },
}

interface CurrentContext {
  readonly given: TirAttribute
  readonly lookup: Lookup<TirAttribute>
}

/** A DID document, plain or in a resolution result. */
export const didDocumentKind: ExplainableKind = {
  kind: 'did-document',
  title: 'DID document',
  recognise: ({ json, jsonProblem }) => {
    if (!json) return notRecognised(`it is not a JSON object: ${jsonProblem}`)
    const resolved = asObject(json.didDocument)
    if (resolved) {
      return { ok: true, by: 'JSON with didDocument', explain: () => explainDocument(resolved) }
    }
    const hasDid = typeof json.id === 'string' && json.id.startsWith('did:')
    if (hasDid || 'verificationMethod' in json) {
      const by = hasDid ? 'JSON whose id is a DID' : 'JSON with verificationMethod'
      return { ok: true, by, explain: () => explainDocument(json) }
    }
    return notRecognised('the JSON has neither verificationMethod nor a DID as its id')
  },
}

function explainDocument(document: JsonObject): ExplainedContent {
  const methods = Array.isArray(document.verificationMethod) ? document.verificationMethod : []
  return {
    ...evaluateDidDocument(document),
    facts: factsOf([
      ['DID', document.id],
      ['Controllers', document.controller],
      ['Known as', document.alsoKnownAs],
      ...methods.slice(0, 16).map((method: unknown, index) => {
        const { id, publicKeyJwk } = asObject(method) ?? {}
        const fragment = typeof id === 'string' ? id.split('#').at(-1) : undefined
        return [index === 0 ? 'Keys' : '', `${fragment} (${describe(publicKeyJwk)})`] as const
      }),
      ['Issues with', fragmentsOf(document.assertionMethod)],
    ]),
    content: document,
  }
}

function describe(jwk: unknown): string {
  const curve = asObject(jwk)?.crv
  return typeof curve === 'string' ? curve : 'unknown curve'
}

function fragmentsOf(value: unknown): readonly string[] {
  return [value]
    .flat()
    .flatMap((id) => (typeof id === 'string' ? (id.split('#').at(-1) ?? []) : []))
}

/** A status list credential: a JWT. */
export const statusListKind: ExplainableKind = {
  kind: 'status-list',
  title: 'status list credential',
  recognise: ({ jwt, jwtProblem }) => {
    if (!jwt) return notRecognised(`it is not a JWT: ${jwtProblem}`)
    const vc = asObject(jwt.jws.payload.vc)
    const types = [vc?.type].flat()
    const type = types.find((name) => typeof name === 'string' && /StatusList/.test(name))
    const by =
      type === undefined
        ? asObject(vc?.credentialSubject)?.encodedList === undefined
          ? undefined
          : 'a JWT whose credentialSubject has encodedList'
        : `a JWT with a vc of type ${String(type)}`
    if (by === undefined) return notRecognised('the JWT has no status list in its vc claim')
    return { ok: true, by, explain: (options) => explainStatusList(jwt, options) }
  },
}

async function explainStatusList(
  { compact, jws }: InputJwt,
  options: ExplainOptions,
): Promise<ExplainedContent> {
  const { sources } = createPolicyAndSources(options, environmentOfSigner(compact))
  const { kid } = jws.header
  const issuerDid = typeof kid === 'string' ? parseDidUrl(kid)?.did : undefined
  const list = zStatusListCredential.safeParse(jws.payload).data
  const form = list && findStatusListForm(list.vc.type)
  const issuerDocument = issuerDid
    ? await sources.resolveDidDocument(issuerDid)
    : ({ ok: false, kind: 'not-found', reason: 'kid does not name a key of a DID' } as const)
  const context = { jws, entry: undefined, form, issuerDid, issuerDocument, now: options.now }
  const bits = list && decodeBitstring(list.vc.credentialSubject.encodedList, form?.encoding)
  return {
    ...evaluateRules(statusListRules, context),
    facts: factsOf([
      ['Issuer', jws.payload.iss],
      ['List', list?.vc.id],
      ['Purpose', list?.vc.credentialSubject.statusPurpose],
      ['Entries', bits && bits.length * 8],
      ['Set', bits && describeSet(bits)],
      ['Valid until', list?.vc.validUntil ?? timeOf(list?.exp)],
    ]),
    content: { header: jws.header, payload: jws.payload },
  }
}

const mostListed = 10

function describeSet(bits: Uint8Array): string {
  const indexes: number[] = []
  let count = 0
  for (let byte = 0; byte < bits.length; byte++) {
    if (bits[byte] === 0) continue
    for (let index = byte * 8; index < byte * 8 + 8; index++) {
      if (!bitAt(bits, index)) continue
      count += 1
      if (indexes.length < mostListed) indexes.push(index)
    }
  }
  if (count === 0) return 'none'
  return `${count}: ${indexes.join(', ')}${count > mostListed ? ', …' : ''}`
}
