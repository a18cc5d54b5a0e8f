import {
  type CredentialOffer,
  parseCredentialOffer,
  parseCredentialOfferUri,
} from '#core/oid4vci/credential-offer.ts'
import {
  type CredentialSupported,
  type IssuerMetadata,
  parseIssuerMetadata,
} from '#core/oid4vci/issuer-metadata.ts'
import type { Wallet } from '../create-wallet.ts'
import { describeRefusal, sentenceOf } from '../http/create-wallet-http.ts'
import { takeLink } from '../link/take-link.ts'
import { walletError } from '../wallet-error.ts'

/**
 * An offer with everything that a holder needs to know before accepting it. Nothing is requested
 * yet.
 */
export interface ResolvedOffer {
  readonly offer: CredentialOffer
  readonly preAuthorizedCode: string
  readonly metadata: IssuerMetadata
  /** The offered entries of the metadata, in the order of the offer. */
  readonly offered: readonly CredentialSupported[]
}

/**
 * Reads an offer from the link in a string, by value or by reference, and the metadata of its
 * issuer (profile/connector, Credential offer and Issuer metadata). Throws a TestbedError
 * `invalid_link`, `invalid_offer`, `invalid_metadata`, or `unsupported_offer` if the wallet does
 * not support the offer: a different grant, a different format, or not the suite and DID method of
 * its account.
 */
export async function resolveCredentialOffer(wallet: Wallet, text: string): Promise<ResolvedOffer> {
  const offer = await readOffer(wallet, takeLink(text, 'offer'))
  wallet.emit({ type: 'offer-resolved', offer })
  requireBounds(offer)
  const { preAuthorizedCode } = offer
  if (preAuthorizedCode === undefined) {
    throw walletError('unsupported_offer', 'The offer has no pre-authorized code.')
  }
  const metadata = await fetchMetadata(wallet, offer.credentialIssuer)
  requireSecureEndpoints(metadata)
  wallet.emit({ type: 'metadata-fetched', metadata })
  const offered = offer.credentials.map((id) => {
    const entry = metadata.credentialsSupported.find((supported) => supported.id === id)
    if (!entry) {
      throw walletError(
        'invalid_offer',
        `The issuer's metadata does not contain the offered ${id}.`,
      )
    }
    return entry
  })
  for (const entry of offered) requireSupport(wallet, entry)
  return { offer, preAuthorizedCode, metadata, offered }
}

const mostCredentials = 16

/** Limits the credentials of an offer, because each causes a separate request. */
function requireBounds({ credentials, credentialIssuer }: CredentialOffer): void {
  if (new Set(credentials).size < credentials.length || credentials.length > mostCredentials) {
    throw walletError(
      'invalid_offer',
      `The offer lists a credential twice, or more than ${mostCredentials} credentials.`,
    )
  }
  // OpenID4VCI 1.0, 12.2.1: an issuer identifier has neither query nor fragment.
  if (/[?#]/.test(credentialIssuer)) {
    throw walletError('invalid_offer', 'The credential_issuer has a query or a fragment.')
  }
}

async function readOffer(wallet: Wallet, uri: string): Promise<CredentialOffer> {
  const parsed = parseCredentialOfferUri(uri)
  if (!parsed.ok) {
    const { failures } = parsed
    throw walletError(
      'invalid_link',
      `This is not a valid credential offer: ${failures[0]?.reason}.`,
      {
        failures,
      },
    )
  }
  if (parsed.delivery === 'value') return parsed.offer
  const response = await wallet.http.request(parsed.credentialOfferUri, {
    headers: { accept: 'application/json' },
  })
  if (response.status !== 200) {
    const answer = describeRefusal(response)
    throw walletError('invalid_offer', `Offer unavailable: ${sentenceOf(answer)}`, { answer })
  }
  const result = parseCredentialOffer(response.json)
  if (result.ok) return result.offer
  const { failures } = result
  throw walletError('invalid_offer', 'The offer is not in the documented form.', { failures })
}

async function fetchMetadata(wallet: Wallet, credentialIssuer: string): Promise<IssuerMetadata> {
  const base = credentialIssuer.replace(/\/$/, '')
  const response = await wallet.http.request(`${base}/.well-known/openid-credential-issuer`, {
    headers: { accept: 'application/json' },
  })
  if (response.status !== 200) {
    const answer = describeRefusal(response)
    throw walletError('invalid_metadata', `Metadata unavailable: ${sentenceOf(answer)}`, { answer })
  }
  const result = parseIssuerMetadata(response.json, credentialIssuer)
  if (result.ok) return result.metadata
  const { failures } = result
  throw walletError('invalid_metadata', "The issuer's metadata is not valid.", { failures })
}

/** OpenID4VCI 1.0, 12.2.4: endpoints use https, at least if the issuer itself does. */
function requireSecureEndpoints(metadata: IssuerMetadata): void {
  const { credentialIssuer, tokenEndpoint, credentialEndpoint, deferredCredentialEndpoint } =
    metadata
  const endpoints = [tokenEndpoint, credentialEndpoint, deferredCredentialEndpoint]
  const insecure = endpoints.find((endpoint) => !isSecure(endpoint))
  if (!isSecure(credentialIssuer) || insecure === undefined) return
  throw walletError('invalid_metadata', `The issuer uses https, but ${insecure} does not.`)
}

const isSecure = (address: string) => URL.parse(address)?.protocol === 'https:'

/** An entry without suites or methods allows all of them. */
function requireSupport({ account }: Wallet, entry: CredentialSupported): void {
  const { format, suites, bindingMethods } = entry
  const problem =
    format !== 'jwt_vc_json'
      ? `it has the format ${format}`
      : suites.length > 0 && !suites.includes(account.algorithm)
        ? `the issuer does not accept ${account.algorithm}`
        : bindingMethods.length > 0 && !bindingMethods.includes(`did:${account.didMethod}`)
          ? `the issuer does not accept did:${account.didMethod}`
          : undefined
  if (problem === undefined) return
  throw walletError('unsupported_offer', `This wallet does not support ${entry.id}: ${problem}.`)
}
