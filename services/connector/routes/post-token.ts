import { z } from 'zod'
import {
  createTokenResponse,
  parseTokenRequest,
  preAuthorizedCodeGrant,
  zTokenResponse,
} from '#core/oid4vci/token.ts'
import { defineRoute } from '#kit/define-route.ts'
import { invalidRequest } from '#kit/errors.ts'
import { randomToken, secretsEqual } from '#kit/secrets.ts'
import { digestOf, digestOfPin } from '../adapters/issuance-store.ts'
import type { ConnectorDependencies } from '../dependencies.ts'
import { isWithdrawn } from '../domain/issuance-states.ts'
import { invalidGrant } from '../errors.ts'
import type { IssuanceRow } from '../tables.ts'

/**
 * Exchanges a pre-authorized code for an access token (Document 1, Endpoints an issuer exposes to
 * the wallet). A code works once; of several that redeem it at the same time exactly one wins.
 *
 * @assumption A-36
 * @row 1.endpoints/endpoints-an-issuer-exposes-to-the-wallet.2 1.endpoints/endpoints-an-issuer-exposes-to-the-wallet.5..6
 * @row 1.states-and-transitions.5 1.limits.3
 */
export const postToken = defineRoute<ConnectorDependencies>()({
  method: 'post',
  path: '/token',
  summary: 'Token endpoint, pre-authorized code flow',
  tags: ['wallet'],
  auth: 'none',
  crossOrigin: true,
  request: {
    body: z.record(z.string(), z.unknown()),
    documented: z.looseObject({
      grant_type: z.literal(preAuthorizedCodeGrant),
      'pre-authorized_code': z.string().describe('From the offer'),
      tx_code: z.string().optional().describe('The PIN, where the offer asks for one'),
    }),
    contentTypes: ['application/x-www-form-urlencoded'],
    wrongContentType: () =>
      invalidRequest('Send the token request as application/x-www-form-urlencoded.'),
    limit: 16_384,
  },
  responses: {
    200: { description: 'The access token and the first c_nonce', body: zTokenResponse },
  },
  errors: ['invalid_request', 'invalid_grant', 'unsupported_grant_type'],
  async handle({ body }, dependencies) {
    const { issuances, config, runtime } = dependencies
    const { preAuthorizedCode, txCode } = parseTokenRequest(body)
    const issuance = await issuances.findByCode(preAuthorizedCode)
    if (!issuance) throw invalidGrant('The pre-authorized code is unknown.')
    refuseUnusable(issuance, runtime.clock.seconds())
    await checkPin(issuance, preAuthorizedCode, txCode, dependencies)

    const now = runtime.clock.seconds()
    const { accessTokenLifetimeSeconds, cNonceLifetimeSeconds } = config
    const accessToken = randomToken()
    const cNonce = randomToken()
    const redeemed = await issuances.take(
      'redeem',
      issuance.id,
      {
        access_token_digest: digestOf(accessToken),
        access_token_expires_at: now + accessTokenLifetimeSeconds,
        c_nonce_digest: digestOf(cNonce),
        c_nonce_expires_at: now + cNonceLifetimeSeconds,
      },
      { preauth_code_digest: digestOf(preAuthorizedCode) },
    )
    if (!redeemed) throw invalidGrant('The pre-authorized code has been used already.')
    return {
      status: 200,
      body: createTokenResponse({
        accessToken,
        expiresIn: accessTokenLifetimeSeconds,
        cNonce,
        cNonceExpiresIn: cNonceLifetimeSeconds,
      }),
      headers: { 'cache-control': 'no-store', pragma: 'no-cache' },
    }
  },
})

function refuseUnusable(issuance: IssuanceRow, now: number): void {
  const { state, offer_expires_at } = issuance
  if (isWithdrawn(issuance)) throw invalidGrant('The offer has been withdrawn. Ask for a new one.')
  if (state !== 'offered') throw invalidGrant('The pre-authorized code has been used already.')
  if (offer_expires_at <= now) {
    throw invalidGrant('The pre-authorized code has expired. Ask for a new offer.')
  }
}

/** An attempt is counted before it is looked at, so that guessing in parallel gains nothing. */
async function checkPin(
  issuance: IssuanceRow,
  code: string,
  txCode: string | undefined,
  { issuances, config }: ConnectorDependencies,
): Promise<void> {
  const { id, pin_digest } = issuance
  if (pin_digest === null) {
    if (txCode === undefined) return
    throw invalidRequest('This offer asks for no tx_code; send none.')
  }
  if (txCode === undefined) {
    throw invalidRequest('This offer asks for a PIN: tx_code is missing.')
  }
  if (!(await issuances.countPinAttempt(id, config.maxPinAttempts))) {
    throw invalidGrant('The pre-authorized code can not be used any more.')
  }
  if (secretsEqual(digestOfPin(code, txCode), pin_digest)) return
  const after = await issuances.findById(id)
  if (after && after.pin_attempts >= config.maxPinAttempts) {
    await issuances.take('end', id)
    throw invalidGrant('The tx_code was wrong too often; the offer has ended. Ask for a new one.')
  }
  throw invalidGrant('The tx_code is wrong.')
}
