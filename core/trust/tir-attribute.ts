import { z } from 'zod'
import { type DidEnvironment, parseDidOrg } from '#core/did/did-org.ts'
import { membersOf } from '#core/json/json-object.ts'
import type { RuleText } from '#core/verification/rules.ts'

/**
 * Reads an attributeId with or without 0x and returns its canonical form: 64 lower-case hex digits
 * without 0x, as in `hash`. Undefined for anything else.
 */
export function parseAttributeId(text: string): string | undefined {
  return /^(?:0x)?([0-9a-fA-F]{64})$/.exec(text)?.[1]?.toLowerCase()
}

/**
 * An accreditation as the TIR serves it (profile/tir, Read an accreditation). `hash` is the
 * attributeId without 0x. Third-party registries may omit `attributeIdTao`.
 *
 * @assumption A-16
 */
export const zTirAttribute = z.looseObject({
  did: z.string(),
  attribute: z.looseObject({
    body: z.string(),
    hash: z.string(),
    issuerType: z.enum(['RTAO', 'TAO', 'TI', 'REVOKED']),
    rootTao: z.string(),
    tao: z.string(),
    attributeIdTao: z.string().optional(),
  }),
})

export type TirAttribute = z.infer<typeof zTirAttribute>

/** The requirements of `zTirAttribute` as named rules (profile/tir, Read an accreditation). */
export const tirAttributeShape: readonly RuleText[] = [
  {
    rule: 'attribute.shape',
    statement: 'The attribute is a JSON object.',
    fix: 'Provide the JSON object that GET /v1/issuers/{did}/attributes/{attributeId} returns.',
    path: '',
  },
  {
    rule: 'attribute.did',
    statement: 'did is the DID of the accredited organization.',
    fix: 'Set did to the DID of the accredited organization.',
    path: 'did',
  },
  {
    rule: 'attribute.body',
    statement: 'attribute.body contains the accreditation.',
    fix: 'Set attribute.body to the published JWT of the accreditation.',
    path: 'attribute.body',
  },
  {
    rule: 'attribute.hash',
    statement: 'attribute.hash is the attributeId.',
    fix: 'Set attribute.hash to the attributeId: 64 hex digits without 0x.',
    path: 'attribute.hash',
  },
  {
    rule: 'attribute.issuer-type',
    statement: 'attribute.issuerType is RTAO, TAO, TI or REVOKED.',
    fix: 'Set attribute.issuerType to RTAO, TAO, TI or REVOKED.',
    path: 'attribute.issuerType',
  },
  {
    rule: 'attribute.root-tao',
    statement: 'attribute.rootTao is the DID of the root.',
    fix: 'Set attribute.rootTao to the DID of the root.',
    path: 'attribute.rootTao',
  },
  {
    rule: 'attribute.tao',
    statement: 'attribute.tao is the DID of the accrediting organization.',
    fix: 'Set attribute.tao to the DID of the accrediting organization.',
    path: 'attribute.tao',
  },
]

/** An accreditation's place in the TIR. */
export interface AttributeReference {
  readonly did: string
  /** 64 lower-case hex digits without 0x. */
  readonly attributeId: string
}

export interface TirEnvironment {
  readonly environment: DidEnvironment
  /** The environment's own TIR, without a trailing slash. */
  readonly tirBaseUrl: string
}

/**
 * The address of an accreditation (profile/tir, Read an accreditation), as
 * `termsOfUse.id` holds it.
 */
export function createTermsOfUseUrl(
  tirBaseUrl: string,
  { did, attributeId }: AttributeReference,
): string {
  return `${tirBaseUrl}/v1/issuers/${did}/attributes/${attributeId.replace(/^0x/, '')}`
}

/**
 * Parses `termsOfUse.id` with a strict pattern below the environment's own TIR. Returns only the
 * two identifiers. The caller builds the address from them, so a credential never decides where a
 * request goes. Undefined for any other text: another host, another environment, a query, dot
 * segments.
 *
 * @assumption A-29
 */
export function parseTermsOfUseUrl(
  url: string,
  { environment, tirBaseUrl }: TirEnvironment,
): AttributeReference | undefined {
  const prefix = `${tirBaseUrl}/v1/issuers/`
  if (!url.startsWith(prefix)) return undefined
  const match = /^([^/?#]{1,120})\/attributes\/([0-9a-fA-F]{64})$/.exec(url.slice(prefix.length))
  const did = parseDidOrg((match?.[1] ?? '').replace(/%3A/gi, ':'))
  const attributeId = parseAttributeId(match?.[2] ?? '')
  if (did?.environment !== environment || !attributeId) return undefined
  return { did: did.did, attributeId }
}

/**
 * The accreditation that a credential's `termsOfUse` names: an object, or a list in which the first
 * entry that points into this environment's TIR counts. Undefined if no entry does.
 */
export function parseTermsOfUse(
  termsOfUse: unknown,
  environment: TirEnvironment,
): AttributeReference | undefined {
  const entries = (Array.isArray(termsOfUse) ? termsOfUse : [termsOfUse]).slice(0, 8)
  for (const entry of entries) {
    const { id } = membersOf(entry)
    const reference = typeof id === 'string' ? parseTermsOfUseUrl(id, environment) : undefined
    if (reference) return reference
  }
  return undefined
}
