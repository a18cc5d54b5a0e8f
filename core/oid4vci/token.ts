import { z } from 'zod'
import { plainReasons } from '#core/json/plain-issues.ts'
import type { RuleText, VerificationResult } from '#core/verification/rules.ts'
import { invalidRequest, unsupportedGrantType } from './errors.ts'

/** The grant of the pre-authorized code flow (OpenID4VCI, section 4.1.1). */
export const preAuthorizedCodeGrant = 'urn:ietf:params:oauth:grant-type:pre-authorized_code'

/** A token request of the pre-authorized code flow. */
export interface TokenRequest {
  readonly preAuthorizedCode: string
  /** The PIN, if the offer requires one. */
  readonly txCode?: string
}

/** The form of a token request (profile/connector, Endpoints for wallets). */
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

/**
 * Reads the form of a token request (profile/connector, Endpoints for wallets). Throws a
 * TestbedError with the codes of RFC 6749 5.2: `invalid_request` if a parameter is missing, empty
 * or repeated, `unsupported_grant_type` for another grant.
 */
export function parseTokenRequest(form: Readonly<Record<string, unknown>>): TokenRequest {
  const grantType = readParameter(form, 'grant_type')
  if (grantType === undefined) throw invalidRequest('grant_type is missing.')
  if (grantType !== preAuthorizedCodeGrant) {
    throw unsupportedGrantType(preAuthorizedCodeGrant)
  }
  const preAuthorizedCode = readParameter(form, 'pre-authorized_code')
  if (preAuthorizedCode === undefined) throw invalidRequest('pre-authorized_code is missing.')
  const txCode = readParameter(form, 'tx_code')
  return { preAuthorizedCode, ...(txCode === undefined ? {} : { txCode }) }
}

function readParameter(form: Readonly<Record<string, unknown>>, name: string): string | undefined {
  const value = Object.hasOwn(form, name) ? form[name] : undefined
  if (value === undefined) return undefined
  if (typeof value !== 'string') throw invalidRequest(`${name} was sent more than once.`)
  // RFC 6749, 3.2: a parameter without a value counts as omitted.
  return value === '' ? undefined : value
}

/** The wire form of a token response (profile/connector, Endpoints for wallets). */
export const zTokenResponse = z.looseObject({
  access_token: z.string().min(1),
  // Case-insensitive (RFC 6749, 5.1); a JSON Schema pattern has no flags.
  token_type: z.string().regex(/^[Bb][Ee][Aa][Rr][Ee][Rr]$/),
  expires_in: z.number().optional(),
  c_nonce: z.string().min(1).optional(),
  c_nonce_expires_in: z.number().optional(),
})

type TokenResponseWire = z.infer<typeof zTokenResponse>

export interface TokenResponse {
  readonly accessToken: string
  /** Seconds. */
  readonly expiresIn?: number
  /** Present if the issuer requires proof of possession. */
  readonly cNonce?: string
  /** Seconds. */
  readonly cNonceExpiresIn?: number
}

/** The wire form of a token response (profile/connector, Endpoints for wallets). */
export function createTokenResponse(response: Required<TokenResponse>): TokenResponseWire {
  return {
    access_token: response.accessToken,
    token_type: 'Bearer',
    expires_in: response.expiresIn,
    c_nonce: response.cNonce,
    c_nonce_expires_in: response.cNonceExpiresIn,
  }
}

/** The rule for a token response. */
export const tokenResponseRule: RuleText = {
  rule: 'token-response.shape',
  statement: 'The token response contains access_token and token_type.',
  fix: 'Return access_token as a non-empty string and Bearer as token_type. Return c_nonce as a string and expires_in and c_nonce_expires_in as numbers, or omit them.',
  path: '',
}

/** Reads a token response. Rule: `token-response.shape`, with one failure per member. */
export function parseTokenResponse(value: unknown): VerificationResult<{ token: TokenResponse }> {
  const result = zTokenResponse.safeParse(value, plainReasons)
  if (!result.success) {
    const failures = result.error.issues.map(({ path, message }) => ({
      rule: tokenResponseRule.rule,
      reason: message,
      path: path.join('.'),
    }))
    return { ok: false, failures }
  }
  const { access_token, expires_in, c_nonce, c_nonce_expires_in } = result.data
  return {
    ok: true,
    token: {
      accessToken: access_token,
      ...(expires_in === undefined ? {} : { expiresIn: expires_in }),
      ...(c_nonce === undefined ? {} : { cNonce: c_nonce }),
      ...(c_nonce_expires_in === undefined ? {} : { cNonceExpiresIn: c_nonce_expires_in }),
    },
  }
}
