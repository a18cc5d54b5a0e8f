import type { SigningAlgorithm } from '#core/crypto/suites.ts'
import { plainReasons } from '#core/json/plain-issues.ts'
import { nestsTooDeeply, parseJson } from '#core/json/read-json.ts'
import { isWebAddress } from '#core/link/find-link.ts'
import {
  evaluateRules,
  type Rule,
  type RuleResults,
  type RuleText,
  type VerificationFailure,
  type VerificationResult,
} from '#core/verification/rules.ts'
import { type DcqlQuery, zDcqlQuery } from './dcql-query.ts'

/** A presentation request, independent of its delivery. */
export interface AuthorizationRequest {
  /** The verifier: the audience of the presentation. */
  readonly clientId: string
  /** Where the presentation is posted. */
  readonly responseUri: string
  readonly nonce: string
  /** Echoed with the presentation, if present. */
  readonly state?: string
  readonly dcqlQuery: DcqlQuery
}

/** Its parameters (profile/verifier, Presentation request). */
export interface AuthorizationRequestWire {
  readonly response_type: 'vp_token'
  readonly response_mode: 'direct_post'
  readonly response_uri: string
  readonly client_id: string
  readonly nonce: string
  readonly state?: string
  readonly dcql_query: DcqlQuery
  /** What the verifier accepts. Wallets that follow the profile may ignore it. */
  readonly client_metadata?: VerifierMetadata
}

/** The suites of presentations that a verifier accepts, by their names in the profile. */
interface VerifierMetadata {
  readonly cryptographic_suites_supported: readonly SigningAlgorithm[]
}

/** `typ` of a signed request (RFC 9101, section 10.8). */
export const signedRequestType = 'oauth-authz-req+jwt'

/** Media type under which a signed request is served (RFC 9101, section 5.2.3). */
export const signedRequestMediaType = 'application/oauth-authz-req+jwt'

/** `aud` of a signed request to a wallet that has no address (OpenID4VP 1.0, 5.8). */
export const walletAudience = 'https://self-issued.me/v2'

const requestScheme = 'openid4vp://'

/**
 * The parameters of a presentation request (profile/verifier, Presentation request).
 *
 * @row 1.resources-and-their-fields/presentation-authorization-request.1..6
 */
export function createAuthorizationRequest({
  clientId,
  responseUri,
  nonce,
  state,
  dcqlQuery,
}: AuthorizationRequest): AuthorizationRequestWire {
  return {
    response_type: 'vp_token',
    response_mode: 'direct_post',
    response_uri: responseUri,
    client_id: clientId,
    nonce,
    ...(state === undefined ? {} : { state }),
    dcql_query: dcqlQuery,
  }
}

/**
 * Creates the link that contains a request by value: each parameter URL-encoded, dcql_query as
 * JSON.
 *
 * @row 1.resources-and-their-fields/presentation-authorization-request.8
 */
export function createAuthorizationRequestUri(
  request: Readonly<Partial<AuthorizationRequestWire>>,
): string {
  const parameters = Object.entries(request).map(([name, value]) => {
    const text = typeof value === 'string' ? value : JSON.stringify(value)
    return `${name}=${encodeURIComponent(text)}`
  })
  return `${requestScheme}?${parameters.join('&')}`
}

/**
 * Creates the link that contains the address of a request, as the profile recommends.
 *
 * @row 1.resources-and-their-fields/presentation-authorization-request.8
 */
export function createAuthorizationRequestReferenceUri(requestUri: string): string {
  return `${requestScheme}?request_uri=${encodeURIComponent(requestUri)}`
}

/** Creates the link that contains a signed request. `clientId` is the verifier that signed it. */
export function createSignedAuthorizationRequestUri(clientId: string, requestJwt: string): string {
  return `${requestScheme}?client_id=${encodeURIComponent(clientId)}&request=${encodeURIComponent(requestJwt)}`
}

/** The parameters of a presentation request, from a link or from a signed request's payload. */
export type AuthorizationRequestParameters = Readonly<Record<string, unknown>>

/** The rules for the parameters (profile/verifier, Presentation request). */
export const authorizationRequestRules: readonly Rule<AuthorizationRequestParameters>[] = [
  {
    rule: 'request.response-type',
    statement: 'response_type is vp_token.',
    fix: 'Set response_type to vp_token.',
    path: 'response_type',
    evaluate: ({ response_type }, { fail }) => {
      if (response_type !== 'vp_token') fail('it must be vp_token', undefined, text(response_type))
    },
  },
  {
    rule: 'request.response-mode',
    statement: 'response_mode is direct_post.',
    fix: 'Set response_mode to direct_post.',
    path: 'response_mode',
    evaluate: ({ response_mode }, { fail }) => {
      if (response_mode !== 'direct_post') {
        fail('it must be direct_post', undefined, text(response_mode))
      }
    },
  },
  {
    rule: 'request.response-uri',
    statement: 'response_uri is an http or https URL.',
    fix: 'Set response_uri to the http or https URL that receives the presentation.',
    path: 'response_uri',
    evaluate: ({ response_uri }, { fail }) => {
      if (!isWebAddress(response_uri)) {
        fail('it is not a valid http or https URL', undefined, text(response_uri))
      }
    },
  },
  {
    rule: 'request.redirect-uri',
    statement: 'With direct_post, redirect_uri is absent (OpenID4VP 1.0, 8.2).',
    fix: 'Remove redirect_uri from the request. To send the browser back, return it in the response to the presentation.',
    path: 'redirect_uri',
    evaluate: ({ redirect_uri }, { fail }) => {
      if (redirect_uri !== undefined) fail('it must be absent with direct_post')
    },
  },
  {
    rule: 'request.transaction-data',
    statement: 'transaction_data is absent: the profile does not define it (OpenID4VP 1.0, 5).',
    fix: 'Remove transaction_data from the request. A wallet that does not support it must reject the request.',
    path: 'transaction_data',
    evaluate: ({ transaction_data }, { fail }) => {
      if (transaction_data !== undefined) fail('it is not supported, and must not be ignored')
    },
  },
  {
    rule: 'request.client-id',
    statement: 'client_id identifies the verifier.',
    fix: "Set client_id to the verifier's DID.",
    path: 'client_id',
    evaluate: ({ client_id }, { fail }) => {
      if (!isText(client_id)) fail('it is missing')
    },
  },
  {
    rule: 'request.nonce',
    statement: 'nonce is present.',
    fix: 'Set nonce to a fresh random string for each request.',
    path: 'nonce',
    evaluate: ({ nonce }, { fail }) => {
      if (!isText(nonce)) fail('it is missing')
    },
  },
  {
    rule: 'request.presentation-definition',
    statement: 'dcql_query defines what is requested, not a DIF presentation definition.',
    fix: 'Replace presentation_definition or presentation_definition_uri by dcql_query.',
    path: 'presentation_definition',
    evaluate: ({ presentation_definition, presentation_definition_uri }, { fail }) => {
      if (presentation_definition !== undefined || presentation_definition_uri !== undefined) {
        fail('DIF presentation definitions are not supported; send a dcql_query')
      }
    },
  },
  {
    rule: 'request.dcql-query',
    statement: 'dcql_query requests credentials in the form of the profile.',
    fix: 'Set dcql_query to an object whose array credentials has elements with id, format jwt_vc_json, and the types in meta.vct_values.',
    path: 'dcql_query',
    evaluate: ({ dcql_query }, { fail }) => {
      const query = readDcqlQuery(dcql_query)
      if (query?.success) return
      const issue = query?.error.issues[0]
      const path = ['dcql_query', ...(issue?.path ?? [])].join('.')
      fail(issue?.message ?? 'it is missing or not valid JSON', path)
    },
  },
]

/** Reads the query, which is JSON text in a link; undefined if it is not valid JSON. */
function readDcqlQuery(value: unknown): ReturnType<typeof zDcqlQuery.safeParse> | undefined {
  const parsed = typeof value === 'string' ? parseJson(value) : value
  if (parsed === undefined || nestsTooDeeply(parsed)) return undefined
  return zDcqlQuery.safeParse(parsed, plainReasons)
}

function text(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined
}

/** True if a parameter is present: a string that is not empty. */
function isText(value: unknown): value is string {
  return typeof value === 'string' && value !== ''
}

/** The content of a link. `clientId` is the client_id in the link itself, if any. */
type AuthorizationRequestDelivery =
  | { readonly delivery: 'value'; readonly parameters: AuthorizationRequestParameters }
  | {
      readonly delivery: 'reference'
      readonly requestUri: string
      readonly clientId?: string
    }
  /** A signed request in the link. */
  | {
      readonly delivery: 'signed'
      readonly requestJwt: string
      readonly clientId?: string
    }

const schemes = ['openid4vp:', 'https:', 'http:']

const schemeRule: Rule<URL | undefined> = {
  rule: 'request.uri',
  statement: `The link uses one of the schemes ${schemes.join(', ')}.`,
  fix: 'Start the link with openid4vp://, or with the https address of a wallet.',
  path: '',
  evaluate: (url, { fail }) => {
    if (!url) fail('this is not a valid link')
    else if (!schemes.includes(url.protocol)) {
      fail(`a link with the scheme ${url.protocol} is not a presentation request`)
    }
  },
}

const deliveryRule: Rule<URLSearchParams> = {
  rule: 'request.delivery',
  statement: 'No parameter is repeated, and at most one of request and request_uri is present.',
  fix: 'Send each parameter once, and either request or request_uri, not both. Set request_uri to an http or https URL.',
  path: '',
  evaluate: (parameters, { fail }) => {
    const names = [...parameters.keys()]
    const repeated = names.find((name, index) => names.indexOf(name) !== index)
    const requestUri = parameters.get('request_uri')
    if (repeated !== undefined) fail(`${repeated} is repeated`)
    else if (requestUri !== null && parameters.has('request')) {
      fail('request and request_uri are mutually exclusive')
    } else if (requestUri !== null && !isWebAddress(requestUri)) {
      fail('request_uri is not a valid http or https URL')
    }
  },
}

/** The rules for the link of a request, without their evaluation. */
export const authorizationRequestUriRules: readonly RuleText[] = [schemeRule, deliveryRule]

/**
 * Evaluates the rules of a presentation request's link: `request.uri`, then `request.delivery`.
 * Returns its content if both pass.
 *
 * @see profile/verifier, Presentation request, Delivery
 */
export function evaluateAuthorizationRequestUri(
  uri: string,
): RuleResults & { readonly found?: AuthorizationRequestDelivery } {
  const url = URL.parse(uri) ?? undefined
  const scheme = evaluateRules([schemeRule], url)
  // Without a valid link there is no content to check.
  if (!url || scheme.failures.length > 0) return scheme
  const { searchParams } = url
  const delivery = evaluateRules([deliveryRule], searchParams)
  const results = {
    failures: delivery.failures,
    checked: [...scheme.checked, ...delivery.checked],
  }
  return results.failures.length > 0 ? results : { ...results, found: read(searchParams) }
}

function read(parameters: URLSearchParams): AuthorizationRequestDelivery {
  const requestUri = parameters.get('request_uri')
  const requestJwt = parameters.get('request')
  const clientId = parameters.get('client_id') ?? undefined
  const named = clientId === undefined ? {} : { clientId }
  if (requestJwt !== null) return { delivery: 'signed', requestJwt, ...named }
  if (requestUri !== null) return { delivery: 'reference', requestUri, ...named }
  return { delivery: 'value', parameters: Object.fromEntries(parameters) }
}

/**
 * Parses the parameters of a presentation request, from a link or from a signed request's payload,
 * by all `authorizationRequestRules`. Unknown parameters are allowed.
 *
 * @see profile/verifier, Presentation request
 */
export function parseAuthorizationRequest(
  value: AuthorizationRequestParameters,
): VerificationResult<{ request: AuthorizationRequest }> {
  const { failures } = evaluateRules(authorizationRequestRules, value)
  const query = readDcqlQuery(value.dcql_query)
  if (failures.length > 0 || !query?.success) return { ok: false, failures }
  const { client_id, response_uri, nonce, state } = value
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

export type ParseAuthorizationRequestUriResult =
  | { readonly ok: true; readonly delivery: 'value'; readonly request: AuthorizationRequest }
  /** For a reference, the caller fetches the address. */
  | ({ readonly ok: true } & Exclude<AuthorizationRequestDelivery, { readonly delivery: 'value' }>)
  | { readonly ok: false; readonly failures: readonly VerificationFailure[] }

/**
 * Parses the link of a presentation request, as in a QR code: by value, by reference, or with a
 * signed request. Rules: `request.uri`, `request.delivery`, and those of
 * `parseAuthorizationRequest` for a request by value.
 *
 * @see profile/verifier, Presentation request, Delivery
 */
export function parseAuthorizationRequestUri(uri: string): ParseAuthorizationRequestUriResult {
  const { failures, found } = evaluateAuthorizationRequestUri(uri)
  if (!found) return { ok: false, failures }
  if (found.delivery !== 'value') return { ok: true, ...found }
  const result = parseAuthorizationRequest(found.parameters)
  return result.ok ? { ok: true, delivery: 'value', request: result.request } : result
}
