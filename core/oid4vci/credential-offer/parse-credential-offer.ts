import type { VerificationResult } from '#core/errors/verification-failure.ts'
import { preAuthorizedCodeGrant } from '../grant-types.ts'
import { evaluateCredentialOffer } from './evaluate-credential-offer.ts'
import { type CredentialOffer, type TxCode, zCredentialOffer } from './z-credential-offer.ts'

/**
 * Reads the JSON value of a credential offer. `input_mode` defaults to numeric, as OpenID4VCI
 * 4.1.1 has it. Rules: those of `evaluateCredentialOffer`.
 */
export function parseCredentialOffer(
  value: unknown,
): VerificationResult<{ offer: CredentialOffer }> {
  const result = zCredentialOffer.safeParse(value)
  if (!result.success) return { ok: false, failures: evaluateCredentialOffer(value).failures }
  const { credential_issuer, credentials, grants } = result.data
  const grant = grants?.[preAuthorizedCodeGrant]
  return {
    ok: true,
    offer: {
      credentialIssuer: credential_issuer,
      credentials,
      ...(grant ? { preAuthorizedCode: grant['pre-authorized_code'] } : {}),
      ...(grant?.tx_code ? { txCode: readTxCode(grant.tx_code) } : {}),
    },
  }
}

function readTxCode({
  length,
  input_mode,
  description,
}: {
  length?: number | undefined
  input_mode?: string | undefined
  description?: string | undefined
}): TxCode {
  return {
    inputMode: input_mode === 'text' ? 'text' : 'numeric',
    ...(length === undefined ? {} : { length }),
    ...(description === undefined ? {} : { description }),
  }
}
