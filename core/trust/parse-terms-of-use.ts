import { type DidEnvironment, parseDidOrg } from '#core/did/did-org.ts'
import { parseAttributeId } from './attribute-id.ts'

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
 * The address of an accreditation (Document 2, GET /v1/issuers/{did}/attributes/{attributeId}), as
 * `termsOfUse.id` holds it.
 */
export function createTermsOfUseUrl(
  tirBaseUrl: string,
  { did, attributeId }: AttributeReference,
): string {
  return `${tirBaseUrl}/v1/issuers/${did}/attributes/${attributeId.replace(/^0x/, '')}`
}

/**
 * Reads `termsOfUse.id` by a strict pattern below the environment's own TIR. What comes back is only
 * the two identifiers: whoever fetches builds the address from them again, so that nothing in a
 * credential decides where a request goes. Undefined for any other text: another host, another
 * environment, a query, dot segments.
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
 * entry that points into this environment's TIR counts. Undefined where none does.
 */
export function parseTermsOfUse(
  termsOfUse: unknown,
  environment: TirEnvironment,
): AttributeReference | undefined {
  const entries = (Array.isArray(termsOfUse) ? termsOfUse : [termsOfUse]).slice(0, 8)
  for (const entry of entries) {
    const id = typeof entry === 'object' && entry !== null && 'id' in entry ? entry.id : undefined
    const reference = typeof id === 'string' ? parseTermsOfUseUrl(id, environment) : undefined
    if (reference) return reference
  }
  return undefined
}
