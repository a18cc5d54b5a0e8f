import { z } from 'zod'
import type { ParsedJws } from '#core/crypto/jws.ts'
import type { AuthorizationRequestWire } from '#core/oid4vp/authorization-request.ts'
import type { ResponseVerdict } from './verify-response.ts'

const zCheckedRule = z.object({
  rule: z.string().describe('Stable name, for example credential.power'),
  statement: z.string().describe('The condition of the rule'),
  fix: z.string().optional().describe('How to fix the message, if the rule is broken'),
  path: z
    .string()
    .optional()
    .describe('The hop of the trust chain, for rules that apply to each hop'),
  passed: z.boolean(),
  notes: z.array(z.string()).describe('Remarks that apply even if the rule passes'),
})

const zFailure = z.object({
  rule: z.string(),
  reason: z.string(),
  path: z.string().describe('Path in the presentation or credential; empty for the whole'),
  got: z.unknown().optional().describe('The value there, shortened'),
  unchecked: z
    .enum(['unavailable', 'not-asked'])
    .optional()
    .describe(
      'The rule could not be checked, because a service that it depends on did not respond',
    ),
})

const zTrustStep = z.object({
  did: z.string(),
  attribute_id: z.string().describe('64 hex digits'),
  issuer_type: z.string().describe('RTAO, TAO, TI or REVOKED, as currently in the TIR'),
  tao: z.string().describe('DID of the accrediting organization'),
})

const zLookup = z.object({
  service: z.enum(['did-registry', 'tir', 'status-list']),
  what: z.string().describe('The requested DID (and time), DID and attribute, or address'),
  found: z.boolean(),
  unavailable: z.boolean().describe('The service did not respond, or its response is invalid'),
  reason: z.string().optional(),
  milliseconds: z.number(),
})

const zJwt = z.object({
  header: z.record(z.string(), z.unknown()),
  payload: z.record(z.string(), z.unknown()),
})

/**
 * The basis of a verdict: the request, the presentation, the lookups, the result and its reasons.
 * It is for the operator. Since signatures are left out, nothing in it can be presented again.
 */
export const zExplanation = z.object({
  status: z.enum(['SUCCESS', 'FAILED']),
  decided_at: z.int().describe('Unix seconds'),
  request: z.object({
    client_id: z.string(),
    nonce: z.string(),
    response_uri: z.string(),
    dcql_query: z.unknown(),
  }),
  presentation: zJwt.describe('Header and payload, without signature and credentials'),
  presentation_submission: z.string().optional().describe('As posted, shortened'),
  credential: zJwt.optional().describe('Header and payload; missing if it is unreadable'),
  holder_did: z.string().optional(),
  trust_chain: z
    .array(zTrustStep)
    .describe('From the issuer upwards, as far as it could be followed'),
  checked: z.array(zCheckedRule).describe('Every evaluated rule'),
  failures: z.array(zFailure).describe('Empty for SUCCESS'),
  lookups: z
    .array(zLookup)
    .describe('Every request to a registry or a status list, with the result'),
  unavailable: z.array(z.string()).describe('Services that did not respond'),
})

export type Explanation = z.infer<typeof zExplanation>

/** One lookup of a verification, for its explanation. */
export type RecordedLookup = Readonly<z.infer<typeof zLookup>>

export interface CreateExplanationOptions {
  readonly request: AuthorizationRequestWire
  /** Value of the form field. */
  readonly presentationSubmission: string | undefined
  readonly result: ResponseVerdict
  readonly lookups: readonly RecordedLookup[]
  /** Unix seconds. */
  readonly now: number
}

const longestSubmission = 2000

/** Creates the explanation of a verdict in its wire format. */
export function createExplanation(options: CreateExplanationOptions): Explanation {
  const { request, presentationSubmission, result, lookups, now } = options
  const { client_id, nonce, response_uri, dcql_query } = request
  return {
    status: result.ok ? 'SUCCESS' : 'FAILED',
    decided_at: now,
    request: { client_id, nonce, response_uri, dcql_query },
    presentation: shown(result.presentation),
    presentation_submission: presentationSubmission?.slice(0, longestSubmission),
    credential: result.credential && shown(result.credential),
    holder_did: result.holderDid,
    trust_chain: result.trustChain.map(({ did, attributeId, issuerType, tao }) => ({
      did,
      attribute_id: attributeId,
      issuer_type: issuerType,
      tao,
    })),
    checked: result.checked.map((entry) => ({ ...entry, notes: [...entry.notes] })),
    failures: result.failures.map((failure) => ({ ...failure })),
    lookups: lookups.map((lookup) => ({ ...lookup })),
    unavailable: unavailableServices(lookups),
  }
}

/** Without signatures: an explanation must be useless to an attacker. */
function shown({ header, payload }: ParsedJws): z.infer<typeof zJwt> {
  const { vp, ...claims } = payload
  const object = typeof vp === 'object' && vp !== null ? { ...vp, verifiableCredential: '…' } : vp
  return { header: { ...header }, payload: vp === undefined ? claims : { ...claims, vp: object } }
}

/** Names of the services that did not respond to a lookup, without duplicates. */
function unavailableServices(lookups: readonly RecordedLookup[]): string[] {
  return [...new Set(lookups.filter((each) => each.unavailable).map(({ service }) => service))]
}
