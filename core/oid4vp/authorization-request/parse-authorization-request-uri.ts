import type { VerificationFailure } from '#core/errors/verification-failure.ts'
import {
  type AuthorizationRequestDelivery,
  evaluateAuthorizationRequestUri,
} from './evaluate-authorization-request-uri.ts'
import { parseAuthorizationRequest } from './parse-authorization-request.ts'
import type { AuthorizationRequest } from './z-authorization-request.ts'

export type ParseAuthorizationRequestUriResult =
  | { readonly ok: true; readonly delivery: 'value'; readonly request: AuthorizationRequest }
  /** Where it is a reference, the caller fetches the address. */
  | ({ readonly ok: true } & Exclude<AuthorizationRequestDelivery, { readonly delivery: 'value' }>)
  | { readonly ok: false; readonly failures: readonly VerificationFailure[] }

/**
 * Reads the link of a presentation request as a QR code holds it: by value, by reference, or with
 * the signed request in it. Rules: `request.uri`, `request.delivery`, and those of
 * `parseAuthorizationRequest` for a request by value.
 *
 * @see Document 1, Presentation authorization_request, Delivery
 */
export function parseAuthorizationRequestUri(uri: string): ParseAuthorizationRequestUriResult {
  const { failures, found } = evaluateAuthorizationRequestUri(uri)
  if (!found) return { ok: false, failures }
  if (found.delivery !== 'value') return { ok: true, ...found }
  const result = parseAuthorizationRequest(found.parameters)
  return result.ok ? { ok: true, delivery: 'value', request: result.request } : result
}
