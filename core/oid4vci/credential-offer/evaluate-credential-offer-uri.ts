import { evaluateRules, type Rule, type RuleResults } from '#core/verification/evaluate-rules.ts'

/** The offer that a link carries, as the text of its JSON, or the address that it is at. */
export type CredentialOfferDelivery =
  | { readonly delivery: 'value'; readonly json: string }
  | { readonly delivery: 'reference'; readonly credentialOfferUri: string }

interface Context {
  readonly url: URL | undefined
  readonly values: readonly string[]
  readonly references: readonly string[]
}

const schemes = ['openid-credential-offer:', 'https:', 'http:']

const schemeRule: Rule<Context> = {
  rule: 'offer.uri',
  statement: `The link is one of ${schemes.join(', ')}.`,
  path: '',
  evaluate: ({ url }, { fail }) => {
    if (!url) fail('this is no link')
    else if (!schemes.includes(url.protocol)) {
      fail(`a link of ${url.protocol} carries no credential offer`)
    }
  },
}

const deliveryRule: Rule<Context> = {
  rule: 'offer.delivery',
  statement:
    'The link carries credential_offer, or the web address of one in credential_offer_uri.',
  path: '',
  evaluate: ({ values, references }, { fail }) => {
    const [reference] = references
    if (values.length + references.length !== 1) {
      fail('the link needs either credential_offer or credential_offer_uri, once')
    } else if (reference !== undefined && !isWebAddress(reference)) {
      fail('credential_offer_uri is no web address')
    }
  },
}

/**
 * Evaluates what a link of an offer has to be before its offer can be looked at (Document 1,
 * credential_offer object): `offer.uri`, then `offer.delivery`. What it carries is given where both
 * hold.
 */
export function evaluateCredentialOfferUri(
  uri: string,
): RuleResults & { readonly found?: CredentialOfferDelivery } {
  const url = URL.parse(uri) ?? undefined
  const values = url?.searchParams.getAll('credential_offer') ?? []
  const references = url?.searchParams.getAll('credential_offer_uri') ?? []
  const context = { url, values, references }
  const scheme = evaluateRules([schemeRule], context)
  // What is no such link carries nothing.
  if (scheme.failures.length > 0) return scheme
  const results = evaluateRules([schemeRule, deliveryRule], context)
  if (results.failures.length > 0) return results
  const [credentialOfferUri] = references
  const found: CredentialOfferDelivery =
    credentialOfferUri === undefined
      ? { delivery: 'value', json: values[0] ?? '' }
      : { delivery: 'reference', credentialOfferUri }
  return { ...results, found }
}

function isWebAddress(text: string): boolean {
  return URL.canParse(text) && /^https?:$/.test(new URL(text).protocol)
}
