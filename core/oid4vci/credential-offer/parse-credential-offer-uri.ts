import type { VerificationFailure } from '#core/errors/verification-failure.ts'
import { parseCredentialOffer } from './parse-credential-offer.ts'
import type { CredentialOffer } from './z-credential-offer.ts'

export type ParseCredentialOfferUriResult =
  | { readonly ok: true; readonly delivery: 'value'; readonly offer: CredentialOffer }
  | { readonly ok: true; readonly delivery: 'reference'; readonly credentialOfferUri: string }
  | { readonly ok: false; readonly failures: readonly VerificationFailure[] }

const schemes = ['openid-credential-offer:', 'https:', 'http:']

/**
 * Reads the link of an offer as it stands in a QR code or a mail: by value, or by reference, in
 * which case the caller fetches the address and hands the JSON to `parseCredentialOffer`. Web links
 * with the same parameters are links of wallets that register an https address. Rules: `offer.uri`,
 * `offer.delivery`, `offer.shape`.
 */
export function parseCredentialOfferUri(uri: string): ParseCredentialOfferUriResult {
  if (!URL.canParse(uri)) return failure('offer.uri', 'this is no link')
  const { protocol, searchParams } = new URL(uri)
  if (!schemes.includes(protocol)) {
    return failure('offer.uri', `a link of ${protocol} carries no credential offer`)
  }
  const values = searchParams.getAll('credential_offer')
  const references = searchParams.getAll('credential_offer_uri')
  if (values.length + references.length !== 1) {
    return failure(
      'offer.delivery',
      'the link needs either credential_offer or credential_offer_uri, once',
    )
  }
  const [reference] = references
  if (reference !== undefined) {
    if (!URL.canParse(reference) || !/^https?:$/.test(new URL(reference).protocol)) {
      return failure('offer.delivery', 'credential_offer_uri is no web address')
    }
    return { ok: true, delivery: 'reference', credentialOfferUri: reference }
  }
  const parsed = parseJson(values[0] ?? '')
  if (parsed === undefined) return failure('offer.shape', 'credential_offer is no JSON')
  const result = parseCredentialOffer(parsed)
  return result.ok ? { ok: true, delivery: 'value', offer: result.offer } : result
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

function failure(rule: string, reason: string): ParseCredentialOfferUriResult {
  return { ok: false, failures: [{ rule, reason, path: '' }] }
}
