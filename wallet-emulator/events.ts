import type { CredentialOffer, TxCode } from '#core/oid4vci/credential-offer.ts'
import type { IssuerMetadata } from '#core/oid4vci/issuer-metadata.ts'
import type { CredentialVerdict } from './actions/received-credential-policy.ts'
import type { HttpExchange } from './http/create-wallet-http.ts'
import type { StoredCredential } from './store/wallet-store.ts'
import type { CounterpartAnswer, WalletErrorCode } from './wallet-error.ts'

/**
 * The events of a wallet, step by step. They contain complete credentials, proofs and
 * presentations, but no PINs, codes or access tokens.
 */
export type WalletEvent =
  | ({ readonly type: 'http' } & HttpExchange)
  | { readonly type: 'offer-resolved'; readonly offer: CredentialOffer }
  | { readonly type: 'metadata-fetched'; readonly metadata: IssuerMetadata }
  | { readonly type: 'offer-consent-asked'; readonly credentialIssuer: string }
  | { readonly type: 'pin-requested'; readonly txCode: TxCode; readonly attempt: number }
  /** The issuer rejected the PIN; the wallet asks the holder again. */
  | { readonly type: 'pin-refused'; readonly attempt: number; readonly answer: CounterpartAnswer }
  | { readonly type: 'token-received'; readonly expiresIn?: number }
  | { readonly type: 'proof-created'; readonly jwt: string }
  | { readonly type: 'nonce-renewed' }
  /** `interval` in seconds, if the issuer set it. */
  | { readonly type: 'credential-deferred'; readonly interval?: number }
  | {
      readonly type: 'deferred-pending'
      readonly attempt: number
      /** Minimum time until the next poll. */
      readonly nextMilliseconds: number
    }
  | {
      readonly type: 'deferred-busy'
      readonly attempt: number
      /** 429 or 503. */
      readonly status: number
      readonly nextMilliseconds: number
    }
  | { readonly type: 'credential-received'; readonly credential: string }
  | { readonly type: 'credential-validated'; readonly verdict: CredentialVerdict }
  | { readonly type: 'credential-stored'; readonly credential: StoredCredential }
  | { readonly type: 'request-resolved'; readonly clientId: string; readonly signed: boolean }
  | { readonly type: 'credentials-matched'; readonly ids: readonly string[] }
  | { readonly type: 'credential-selected'; readonly id: string }
  | { readonly type: 'consent-asked'; readonly clientId: string }
  | { readonly type: 'presentation-created'; readonly jwt: string }
  | { readonly type: 'presentation-accepted'; readonly redirectUri?: string }
  /** The last event if `acceptOffer` or `present` throws. */
  | {
      readonly type: 'stopped'
      readonly action: 'accept-offer' | 'present'
      readonly code: WalletErrorCode
      readonly message: string
    }

/** Called with each event. If it throws, the error reaches the caller of the wallet. */
export type OnWalletEvent = (event: WalletEvent) => void
