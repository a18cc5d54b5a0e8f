import type { TokenRequest, TokenResponse } from '#core/oid4vci/token.ts'
import { invalidRequest } from '#kit/errors.ts'
import { digest, randomToken, secretsEqual } from '#kit/secrets.ts'
import { digestOfPin } from '../adapters/issuance-store.ts'
import type { Dependencies } from '../dependencies.ts'
import { invalidGrant } from '../errors.ts'
import type { IssuanceRow } from '../tables.ts'

/**
 * Exchanges a pre-authorized code for an access token and the first c_nonce. A code works once; of
 * several simultaneous requests exactly one wins.
 * @throws TestbedError `invalid_grant`; `invalid_request` if a PIN is missing or not required
 */
export async function redeemCode(
  { preAuthorizedCode, txCode }: TokenRequest,
  dependencies: Dependencies,
): Promise<Required<TokenResponse>> {
  const { issuances, config, runtime } = dependencies
  const issuance = await issuances.findByCode(preAuthorizedCode)
  if (!issuance) throw invalidGrant('The pre-authorized code is unknown.')
  refuseUnusable(issuance, runtime.clock.seconds())
  await checkPin(issuance, preAuthorizedCode, txCode, dependencies)

  const now = runtime.clock.seconds()
  const { accessTokenLifetimeSeconds: expiresIn, cNonceLifetimeSeconds: cNonceExpiresIn } = config
  const accessToken = randomToken()
  const cNonce = randomToken()
  const redeemed = await issuances.take(
    'redeem',
    issuance.id,
    {
      access_token_digest: digest(accessToken),
      access_token_expires_at: now + expiresIn,
      c_nonce_digest: digest(cNonce),
      c_nonce_expires_at: now + cNonceExpiresIn,
    },
    { preauth_code_digest: digest(preAuthorizedCode) },
  )
  if (!redeemed) throw invalidGrant('The pre-authorized code has already been used.')
  return { accessToken, expiresIn, cNonce, cNonceExpiresIn }
}

function refuseUnusable(issuance: IssuanceRow, now: number): void {
  const { state, offer_expires_at } = issuance
  if (state !== 'offered') {
    const message =
      state === 'ended'
        ? 'The offer was withdrawn, or its PIN was wrong too often. Request a new one.'
        : 'The pre-authorized code has already been used.'
    throw invalidGrant(message)
  }
  if (offer_expires_at <= now) {
    throw invalidGrant('The pre-authorized code has expired. Request a new offer.')
  }
}

/** Counts an attempt before checking it, so that parallel guessing gains nothing. */
async function checkPin(
  issuance: IssuanceRow,
  code: string,
  txCode: string | undefined,
  { issuances, config }: Dependencies,
): Promise<void> {
  const { id, pin_digest } = issuance
  if (pin_digest === null) {
    if (txCode === undefined) return
    throw invalidRequest('This offer does not require a PIN. Remove tx_code.')
  }
  if (txCode === undefined) {
    throw invalidRequest('This offer requires a PIN: tx_code is missing.')
  }
  if (!(await issuances.countPinAttempt(id, config.maxPinAttempts))) {
    throw invalidGrant('The pre-authorized code can no longer be used.')
  }
  if (secretsEqual(digestOfPin(code, txCode), pin_digest)) return
  const after = await issuances.findById(id)
  if (after && after.pin_attempts >= config.maxPinAttempts) {
    await issuances.take('end', id)
    throw invalidGrant(
      'Too many wrong values of tx_code. The offer is no longer valid. Request a new one.',
    )
  }
  throw invalidGrant('The tx_code is wrong.')
}
