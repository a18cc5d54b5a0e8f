import type { VerificationFailure, VerificationResult } from '#core/errors/verification-failure.ts'
import { deepestNesting, nestsDeeperThan } from '#core/verification/nests-deeper-than.ts'
import { zDcqlQuery } from '../dcql-query/z-dcql-query.ts'
import type { AuthorizationRequest } from './z-authorization-request.ts'

/**
 * Reads the parameters of a presentation request, from a link or from a signed request's payload.
 * All rules are evaluated: `request.response-type`, `request.response-mode`, `request.response-uri`,
 * `request.redirect-uri` (not beside direct_post, OpenID4VP 8.2), `request.client-id`,
 * `request.nonce`, `request.presentation-definition` (unsupported), `request.dcql-query`. Unknown
 * parameters are let through.
 *
 * @see Document 1, Presentation authorization_request
 */
export function parseAuthorizationRequest(
  value: Readonly<Record<string, unknown>>,
): VerificationResult<{ request: AuthorizationRequest }> {
  const failures: VerificationFailure[] = []
  const fail = (rule: string, path: string, reason: string, got?: unknown) =>
    failures.push({ rule, path, reason, ...(typeof got === 'string' ? { got } : {}) })

  const { response_type, response_mode, response_uri, client_id, nonce, state } = value
  if (response_type !== 'vp_token') {
    fail('request.response-type', 'response_type', 'it has to be vp_token', response_type)
  }
  if (response_mode !== 'direct_post') {
    fail('request.response-mode', 'response_mode', 'it has to be direct_post', response_mode)
  }
  if (!isWebAddress(response_uri)) {
    fail('request.response-uri', 'response_uri', 'it is no web address', response_uri)
  }
  if (value.redirect_uri !== undefined) {
    fail('request.redirect-uri', 'redirect_uri', 'it must not stand beside direct_post')
  }
  if (!isText(client_id)) fail('request.client-id', 'client_id', 'it is missing')
  if (!isText(nonce)) fail('request.nonce', 'nonce', 'it is missing')
  if (
    value.presentation_definition !== undefined ||
    value.presentation_definition_uri !== undefined
  ) {
    const reason = 'DIF presentation definitions are not supported, send a dcql_query'
    fail('request.presentation-definition', 'presentation_definition', reason)
  }
  const query = readQuery(value.dcql_query)
  if (!query?.success) {
    const issue = query?.error.issues[0]
    const path = ['dcql_query', ...(issue?.path ?? [])].join('.')
    fail('request.dcql-query', path, issue?.message ?? 'it is missing or no JSON')
  }
  if (failures.length > 0 || !query?.success) return { ok: false, failures }
  return {
    ok: true,
    request: {
      clientId: String(client_id),
      responseUri: String(response_uri),
      nonce: String(nonce),
      ...(isText(state) ? { state } : {}),
      dcqlQuery: query.data,
    },
  }
}

function readQuery(value: unknown): ReturnType<typeof zDcqlQuery.safeParse> | undefined {
  const parsed = typeof value === 'string' ? parseJson(value) : value
  if (parsed === undefined || nestsDeeperThan(parsed, deepestNesting)) return undefined
  return zDcqlQuery.safeParse(parsed)
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

function isText(value: unknown): value is string {
  return typeof value === 'string' && value !== ''
}

function isWebAddress(value: unknown): value is string {
  return isText(value) && URL.canParse(value) && /^https?:$/.test(new URL(value).protocol)
}
