import type { VerificationFailure } from '#core/errors/verification-failure.ts'
import { parseAuthorizationRequest } from './parse-authorization-request.ts'
import type { AuthorizationRequest } from './z-authorization-request.ts'

export type ParseAuthorizationRequestUriResult =
  | { readonly ok: true; readonly delivery: 'value'; readonly request: AuthorizationRequest }
  /** The caller fetches the address. `clientId` is what the link names, where it names one. */
  | {
      readonly ok: true
      readonly delivery: 'reference'
      readonly requestUri: string
      readonly clientId?: string
    }
  /** A signed request inside the link. */
  | {
      readonly ok: true
      readonly delivery: 'signed'
      readonly requestJwt: string
      readonly clientId?: string
    }
  | { readonly ok: false; readonly failures: readonly VerificationFailure[] }

const schemes = ['openid4vp:', 'https:', 'http:']

/**
 * Reads the link of a presentation request as a QR code holds it: by value, by reference, or with
 * the signed request in it. Rules: `request.uri`, `request.delivery`, and those of
 * `parseAuthorizationRequest` for a request by value.
 *
 * @see Document 1, Presentation authorization_request, Delivery
 */
export function parseAuthorizationRequestUri(uri: string): ParseAuthorizationRequestUriResult {
  if (!URL.canParse(uri)) return failure('request.uri', 'this is no link')
  const { protocol, searchParams } = new URL(uri)
  if (!schemes.includes(protocol)) {
    return failure('request.uri', `a link of ${protocol} carries no presentation request`)
  }
  const names = [...searchParams.keys()]
  const repeated = names.find((name, index) => names.indexOf(name) !== index)
  if (repeated !== undefined) return failure('request.delivery', `${repeated} stands there twice`)

  const requestUri = searchParams.get('request_uri')
  const requestJwt = searchParams.get('request')
  const clientId = searchParams.get('client_id') ?? undefined
  const named = clientId === undefined ? {} : { clientId }
  if (requestUri !== null && requestJwt !== null) {
    return failure('request.delivery', 'request and request_uri exclude each other')
  }
  if (requestJwt !== null) return { ok: true, delivery: 'signed', requestJwt, ...named }
  if (requestUri !== null) {
    if (!URL.canParse(requestUri) || !/^https?:$/.test(new URL(requestUri).protocol)) {
      return failure('request.delivery', 'request_uri is no web address')
    }
    return { ok: true, delivery: 'reference', requestUri, ...named }
  }
  const result = parseAuthorizationRequest(Object.fromEntries(searchParams))
  return result.ok ? { ok: true, delivery: 'value', request: result.request } : result
}

function failure(rule: string, reason: string): ParseAuthorizationRequestUriResult {
  return { ok: false, failures: [{ rule, reason, path: '' }] }
}
