import type { VerificationFailure } from '#core/errors/verification-failure.ts'
import { evaluateCredentialOfferUri } from './evaluate-credential-offer-uri.ts'
import { parseCredentialOffer } from './parse-credential-offer.ts'
import type { CredentialOffer } from './z-credential-offer.ts'

export type ParseCredentialOfferUriResult =
  | { readonly ok: true; readonly delivery: 'value'; readonly offer: CredentialOffer }
  | { readonly ok: true; readonly delivery: 'reference'; readonly credentialOfferUri: string }
  | { readonly ok: false; readonly failures: readonly VerificationFailure[] }

/**
 * Reads the link of an offer as it stands in a QR code or a mail: by value, or by reference, in
 * which case the caller fetches the address and hands the JSON to `parseCredentialOffer`. Web links
 * with the same parameters are links of wallets that register an https address. Rules: `offer.uri`,
 * `offer.delivery`, and those of `parseCredentialOffer`.
 */
export function parseCredentialOfferUri(uri: string): ParseCredentialOfferUriResult {
  const { failures, found } = evaluateCredentialOfferUri(uri)
  if (!found) return { ok: false, failures }
  if (found.delivery === 'reference') return { ok: true, ...found }
  const result = parseCredentialOffer(parseJson(found.json))
  return result.ok ? { ok: true, delivery: 'value', offer: result.offer } : result
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
