import { z } from 'zod'
import { breakRule, type RuleText, type VerificationResult } from '#core/verification/rules.ts'

const cNonce = {
  c_nonce: z.string().optional(),
  c_nonce_expires_in: z.number().optional(),
}

/** The immediate response (profile/connector, Endpoints for wallets). */
export const zImmediateCredentialResponse = z.looseObject({
  format: z.string(),
  credential: z.string().min(1),
  ...cNonce,
})

/** The response if the credential is not ready yet. */
const zDeferredCredentialResponse = z.looseObject({
  acceptance_token: z.string().min(1),
  // OpenID4VCI 1.0, 9.2; the profile does not define it. An invalid value is ignored.
  interval: z.number().positive().optional().catch(undefined),
  ...cNonce,
})

export const zCredentialResponse = z.union([
  zImmediateCredentialResponse,
  zDeferredCredentialResponse,
])

/** The response of the credential endpoint, independent of the dialect. */
export type CredentialResponse = {
  /** For the next request with this access token. */
  readonly cNonce?: string
  /** Seconds. */
  readonly cNonceExpiresIn?: number
} & (
  | { readonly kind: 'immediate'; readonly format: string; readonly credential: string }
  | {
      readonly kind: 'deferred'
      readonly acceptanceToken: string
      /** Seconds that the wallet should wait before the next request. */
      readonly interval?: number
    }
)

/** Creates the wire form of the credential endpoint's response, immediate or deferred. */
export function createCredentialResponse(
  response: CredentialResponse,
): Readonly<Record<string, unknown>> {
  const { cNonce, cNonceExpiresIn } = response
  return {
    ...(response.kind === 'immediate'
      ? { format: response.format, credential: response.credential }
      : { acceptance_token: response.acceptanceToken }),
    ...(cNonce === undefined ? {} : { c_nonce: cNonce }),
    ...(cNonceExpiresIn === undefined ? {} : { c_nonce_expires_in: cNonceExpiresIn }),
  }
}

/** The rule for a response of the credential endpoint. */
export const credentialResponseRule: RuleText = {
  rule: 'credential-response.shape',
  statement: 'The response contains a credential with its format, or an acceptance_token.',
  fix: 'Return format and credential as non-empty strings, or acceptance_token if the credential is not ready yet.',
  path: '',
}

/**
 * Parses the response of the credential endpoint or the deferred credential endpoint. If a response
 * contains both a credential and an acceptance token, the credential counts. Rule:
 * `credential-response.shape`.
 */
export function parseCredentialResponse(
  value: unknown,
): VerificationResult<{ response: CredentialResponse }> {
  const immediate = zImmediateCredentialResponse.safeParse(value)
  if (immediate.success) {
    const { format, credential } = immediate.data
    const response = { kind: 'immediate', format, credential, ...nonceOf(immediate.data) } as const
    return { ok: true, response }
  }
  const deferred = zDeferredCredentialResponse.safeParse(value)
  if (deferred.success) {
    const { acceptance_token, interval } = deferred.data
    return {
      ok: true,
      response: {
        kind: 'deferred',
        acceptanceToken: acceptance_token,
        ...(interval === undefined ? {} : { interval }),
        ...nonceOf(deferred.data),
      },
    }
  }
  const reason =
    'the response contains neither a credential with its format nor an acceptance_token'
  return { ok: false, failures: breakRule(credentialResponseRule, reason).failures }
}

function nonceOf({
  c_nonce,
  c_nonce_expires_in,
}: {
  readonly c_nonce?: string | undefined
  readonly c_nonce_expires_in?: number | undefined
}) {
  return {
    ...(c_nonce === undefined ? {} : { cNonce: c_nonce }),
    ...(c_nonce_expires_in === undefined ? {} : { cNonceExpiresIn: c_nonce_expires_in }),
  }
}
