import type { AuthorizationRequestWire } from '#core/oid4vp/authorization-request.ts'
import type { RecordedLookup } from '../adapters/record-lookups.ts'
import type { ResponseVerdict } from './verify-response.ts'
import type { Explanation } from './z-explanation.ts'

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
