import { evaluateRules, type Rule, type RuleResults } from '#core/verification/evaluate-rules.ts'
import type { AuthorizationRequestParameters } from './authorization-request-rules.ts'

/** What a link carries. `clientId` is what the link itself names, where it names one. */
export type AuthorizationRequestDelivery =
  | { readonly delivery: 'value'; readonly parameters: AuthorizationRequestParameters }
  | {
      readonly delivery: 'reference'
      readonly requestUri: string
      readonly clientId?: string
    }
  /** A signed request inside the link. */
  | {
      readonly delivery: 'signed'
      readonly requestJwt: string
      readonly clientId?: string
    }

const schemes = ['openid4vp:', 'https:', 'http:']

const schemeRule: Rule<URL | undefined> = {
  rule: 'request.uri',
  statement: `The link is one of ${schemes.join(', ')}.`,
  path: '',
  evaluate: (url, { fail }) => {
    if (!url) fail('this is no link')
    else if (!schemes.includes(url.protocol)) {
      fail(`a link of ${url.protocol} carries no presentation request`)
    }
  },
}

const deliveryRule: Rule<URLSearchParams> = {
  rule: 'request.delivery',
  statement: 'No parameter stands twice, and at most one of request and request_uri is there.',
  path: '',
  evaluate: (parameters, { fail }) => {
    const names = [...parameters.keys()]
    const repeated = names.find((name, index) => names.indexOf(name) !== index)
    const requestUri = parameters.get('request_uri')
    if (repeated !== undefined) fail(`${repeated} stands there twice`)
    else if (requestUri !== null && parameters.has('request')) {
      fail('request and request_uri exclude each other')
    } else if (requestUri !== null && !/^https?:$/.test(URL.parse(requestUri)?.protocol ?? '')) {
      fail('request_uri is no web address')
    }
  },
}

/**
 * Evaluates what a link of a presentation request has to be before its request can be looked at:
 * `request.uri`, then `request.delivery`. What it carries is given where both hold.
 *
 * @see Document 1, Presentation authorization_request, Delivery
 */
export function evaluateAuthorizationRequestUri(
  uri: string,
): RuleResults & { readonly found?: AuthorizationRequestDelivery } {
  const url = URL.parse(uri) ?? undefined
  const scheme = evaluateRules([schemeRule], url)
  // What is no such link carries nothing.
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
