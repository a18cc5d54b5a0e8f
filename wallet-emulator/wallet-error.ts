import { TestbedError } from '#core/errors/testbed-error.ts'
import type { VerificationFailure } from '#core/verification/rules.ts'

/** What a wallet can stop at. */
export type WalletErrorCode =
  /** The link, the offer or the request is none, or breaks a rule. */
  | 'invalid_link'
  | 'invalid_offer'
  | 'invalid_request'
  /** The issuer's metadata is missing or wrong, or offers nothing that this wallet can take. */
  | 'invalid_metadata'
  | 'unsupported_offer'
  | 'unsupported_request'
  | 'pin_required'
  /** The other side answered with an error; see {@link CounterpartAnswer}. */
  | 'token_refused'
  | 'credential_refused'
  | 'presentation_refused'
  /** The other side's answer is not in the documented form. */
  | 'invalid_response'
  | 'deferred_time_out'
  | 'credential_rejected'
  | 'no_matching_credential'
  | 'declined'
  /** Nothing was fetched, or no answer came. */
  | 'address_refused'
  | 'redirect_refused'
  | 'response_too_large'
  | 'unreachable'
  | 'wallet_exists'
  | 'unknown_fault'
  /** Faults that contradict each other, or that the account can't have. */
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

/** What the other side answered when it refused. */
export interface CounterpartAnswer {
  readonly url: string
  readonly status: number
  /** The `error` member of a JSON answer. */
  readonly error?: string
  /** The `error_description` member, or `message` or `detail` where that is missing. */
  readonly errorDescription?: string
}

/**
 * The error of a wallet that stopped. `extra.failures` names the broken rules, `extra.answer` is
 * what the other side said.
 */
export function walletError(
  code: WalletErrorCode,
  message: string,
  { failures, answer, hints = [], cause }: WalletErrorDetails = {},
): TestbedError {
  const extra = { ...(failures ? { failures } : {}), ...(answer ? { answer } : {}) }
  return new TestbedError({ code, status: 400, message, hints, cause, extra })
}
