import { z } from 'zod'
import type { AuthorizationRequestWire } from '#core/oid4vp/authorization-request.ts'
import type { ResponseVerdict } from './verify-response.ts'

const zCheckedRule = z.object({
  rule: z.string().describe('Stable name, for example credential.power'),
  statement: z.string().describe('What has to hold'),
  path: z.string().optional().describe('The hop of the trust chain, for rules that each hop has'),
  passed: z.boolean(),
  notes: z.array(z.string()).describe('What has to be known although the rule holds'),
})

const zFailure = z.object({
  rule: z.string(),
  reason: z.string(),
  path: z.string().describe('Where in presentation or credential; empty for the whole'),
  got: z.unknown().optional().describe('What stood there, shortened'),
  unchecked: z
    .enum(['unavailable', 'not-asked'])
    .optional()
    .describe('The rule could not be checked: what it rests on gave no answer'),
})

const zTrustStep = z.object({
  did: z.string(),
  attribute_id: z.string().describe('64 hex digits'),
  issuer_type: z.string().describe('RTAO, TAO, TI or REVOKED, as the TIR has it now'),
  tao: z.string().describe('DID of who accredited'),
})

const zLookup = z.object({
  service: z.enum(['did-registry', 'tir', 'status-list']),
  what: z.string().describe('DID (and time), DID and attribute, or address that was asked for'),
  found: z.boolean(),
  unavailable: z.boolean().describe('There was no answer, or none that is to be understood'),
  reason: z.string().optional(),
  milliseconds: z.number(),
})

const zJwt = z.object({
  header: z.record(z.string(), z.unknown()),
  payload: z.record(z.string(), z.unknown()),
})

/**
 * What a verdict rests on: what was asked, presented, fetched and decided, and why. It is for the
 * operator; nothing in it can be presented again, since signatures are left out.
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
  presentation_submission: z.string().optional().describe('As it was posted, shortened'),
  credential: zJwt.optional().describe('Header and payload; absent where it can not be read'),
  holder_did: z.string().optional(),
  trust_chain: z
    .array(zTrustStep)
    .describe('From the issuer upwards, as far as it could be walked'),
  checked: z.array(zCheckedRule).describe('Every rule that was evaluated'),
  failures: z.array(zFailure).describe('Empty for SUCCESS'),
  lookups: z
    .array(zLookup)
    .describe('Every question to a registry or a status list, as they were answered'),
  unavailable: z.array(z.string()).describe('Services that did not answer'),
})

export type Explanation = z.infer<typeof zExplanation>

/** One question that a verification asked, for its explanation. */
export interface RecordedLookup {
  readonly service: 'did-registry' | 'tir' | 'status-list'
  readonly what: string
  readonly found: boolean
  /** There was no answer, or none that is to be understood. */
  readonly unavailable: boolean
  readonly reason?: string
  readonly milliseconds: number
}

export interface CreateExplanationOptions {
  readonly request: AuthorizationRequestWire
  /** The form field's text. */
  readonly presentationSubmission: string | undefined
  readonly result: ResponseVerdict
  readonly lookups: readonly RecordedLookup[]
  /** Unix seconds. */
  readonly now: number
}

const longestSubmission = 2000

/** The explanation of a verdict in its wire form. */
export function createExplanation(options: CreateExplanationOptions): Explanation {
  const { request, presentationSubmission, result, lookups, now } = options
  const { client_id, nonce, response_uri, dcql_query } = request
  return {
    status: result.ok ? 'SUCCESS' : 'FAILED',
    decided_at: now,
    request: { client_id, nonce, response_uri, dcql_query },
    presentation: result.presentation,
    presentation_submission: presentationSubmission?.slice(0, longestSubmission),
    credential: result.credential,
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

/** Names of the services that gave no answer to a lookup, each once. */
export function unavailableServices(lookups: readonly RecordedLookup[]): string[] {
  return [...new Set(lookups.filter((each) => each.unavailable).map(({ service }) => service))]
}
