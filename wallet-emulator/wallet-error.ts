import { TestbedError } from '#core/errors/testbed-error.ts'
import type { VerificationFailure } from '#core/verification/rules.ts'

/** The error codes of a wallet. */
export type WalletErrorCode =
  /** The link, the offer or the request is not valid. */
  | 'invalid_link'
  | 'invalid_offer'
  | 'invalid_request'
  /**
   * The issuer's metadata is missing or not valid, or the wallet does not support the offer or
   * request.
   */
  | 'invalid_metadata'
  | 'unsupported_offer'
  | 'unsupported_request'
  | 'pin_required'
  /** The other side returned an error; see {@link CounterpartAnswer}. */
  | 'token_refused'
  | 'credential_refused'
  | 'presentation_refused'
  /** The other side's response does not have the documented form. */
  | 'invalid_response'
  | 'deferred_time_out'
  | 'credential_rejected'
  | 'no_matching_credential'
  | 'declined'
  /** Nothing was fetched, or there was no response. */
  | 'address_refused'
  | 'redirect_refused'
  | 'response_too_large'
  | 'unreachable'
  | 'wallet_exists'
  | 'unknown_fault'
  /** Faults that conflict with each other or do not apply to the account. */
  | 'unfit_faults'
  | 'store_damaged'
  | 'wrong_passphrase'
  | 'passphrase_required'

export interface WalletErrorDetails {
  readonly failures?: readonly VerificationFailure[]
  readonly answer?: CounterpartAnswer
  readonly hints?: readonly string[]
  readonly cause?: unknown
}

/** The other side's error response. */
export interface CounterpartAnswer {
  readonly url: string
  readonly status: number
  /** The `error` member of a JSON response. */
  readonly error?: string
  /** The `error_description` member, or `message` or `detail` if that is missing. */
  readonly errorDescription?: string
}

/**
 * Creates the error of a wallet that stopped. `extra.failures` lists the broken rules;
 * `extra.answer` is the other side's response.
 */
export function walletError(
  code: WalletErrorCode,
  message: string,
  { failures, answer, hints = [], cause }: WalletErrorDetails = {},
): TestbedError {
  const extra = { ...(failures ? { failures } : {}), ...(answer ? { answer } : {}) }
  return new TestbedError({ code, status: 400, message, hints, cause, extra })
}
