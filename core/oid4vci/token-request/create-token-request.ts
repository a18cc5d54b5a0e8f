import { preAuthorizedCodeGrant } from '../grant-types.ts'
import type { TokenRequest } from './token-request.ts'

/** The form of a token request (Document 1, Endpoints an issuer exposes to the wallet). */
export function createTokenRequest({
  preAuthorizedCode,
  txCode,
}: TokenRequest): Readonly<Record<string, string>> {
  return {
    grant_type: preAuthorizedCodeGrant,
    'pre-authorized_code': preAuthorizedCode,
    ...(txCode === undefined ? {} : { tx_code: txCode }),
  }
}
