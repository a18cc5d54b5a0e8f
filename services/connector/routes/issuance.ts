import type { Request, Response } from 'express'
import { z } from 'zod'
import { zCredentialOffer } from '#core/oid4vci/credential-offer.ts'
import {
  createCredentialResponse,
  zCredentialResponse,
  zImmediateCredentialResponse,
} from '#core/oid4vci/credential-response.ts'
import { jwtVcJson } from '#core/oid4vci/issuer-metadata.ts'
import {
  createTokenResponse,
  parseTokenRequest,
  preAuthorizedCodeGrant,
  zTokenResponse,
} from '#core/oid4vci/token.ts'
import { defineRoute } from '#kit/define-route.ts'
import { invalidRequest } from '#kit/errors.ts'
import type { Authentication } from '#kit/register-route.ts'
import type { Runtime } from '#kit/runtime.ts'
import { unseal } from '#kit/secrets.ts'
import type { IssuanceStore } from '../adapters/issuance-store.ts'
import type { Dependencies } from '../dependencies.ts'
import { invalidToken, notFound } from '../errors.ts'
import { createOfferWire } from '../operations/create-offer.ts'
import {
  type AcceptedToken,
  collectDeferred,
  confirmDelivery,
  type DeliveredCredential,
  issueCredential,
} from '../operations/issue-credential.ts'
import { redeemCode } from '../operations/redeem-code.ts'

/**
 * Exchanges a pre-authorized code for an access token (profile/connector, Endpoints for wallets). A
 * code works once; of several simultaneous requests exactly one wins.
 *
 * @assumption A-36
 * @row 1.endpoints/endpoints-an-issuer-exposes-to-the-wallet.2 1.endpoints/endpoints-an-issuer-exposes-to-the-wallet.5..6
 * @row 1.states-and-transitions.5 1.limits.3
 */
export const postToken = defineRoute<Dependencies>()({
  method: 'post',
  path: '/token',
  summary: 'Token endpoint, pre-authorized code flow',
  tags: ['wallet'],
  auth: 'none',
  crossOrigin: true,
  request: {
    body: z.record(z.string(), z.unknown(), 'must be a form'),
    documented: z.looseObject({
      grant_type: z.literal(preAuthorizedCodeGrant),
      'pre-authorized_code': z.string().describe('From the offer'),
      tx_code: z.string().optional().describe('The PIN, if the offer requires one'),
    }),
    contentTypes: ['application/x-www-form-urlencoded'],
    // RFC 6749, 5.2.
    unreadableBody: (message) => invalidRequest(message),
    limit: 16_384,
  },
  responses: {
    200: { description: 'The access token and the first c_nonce', body: zTokenResponse },
  },
  errors: ['invalid_request', 'invalid_grant', 'unsupported_grant_type'],
  async handle({ body }, dependencies) {
    const token = await redeemCode(parseTokenRequest(body), dependencies)
    return {
      status: 200,
      body: createTokenResponse(token),
      headers: { pragma: 'no-cache' },
    }
  },
})

/**
 * Finds the issuance of an access token. Accepts it only in the Authorization header (RFC 6750),
 * not in the query. 401 `invalid_token` otherwise.
 */
export function accessTokenAuthentication(
  issuances: IssuanceStore,
  { clock }: Runtime,
): Authentication {
  return async (request): Promise<AcceptedToken> => {
    const accessToken = bearerOf(request)
    if (accessToken === undefined) throw invalidToken('An access token is required.', 'Bearer')
    const issuance = await issuances.findByAccessToken(accessToken)
    if (!issuance || Number(issuance.access_token_expires_at) <= clock.seconds()) {
      throw invalidToken(
        'The access token is unknown or has expired.',
        'Bearer error="invalid_token"',
      )
    }
    return { issuance, accessToken }
  }
}

/** The token in the Authorization header: empty for another scheme, undefined without the header. */
function bearerOf(request: Request): string | undefined {
  const header = request.get('authorization')
  if (header === undefined) return undefined
  return /^Bearer +([A-Za-z0-9._~+/=-]+)$/i.exec(header)?.[1] ?? ''
}

/**
 * Issues a credential of the access token's offer for a proof of possession (profile/connector,
 * Endpoints for wallets).
 *
 * @row 1.endpoints/endpoints-an-issuer-exposes-to-the-wallet.3 1.endpoints/endpoints-an-issuer-exposes-to-the-wallet.7..11
 * @row 1.authentication.7
 */
export const postCredential = defineRoute<Dependencies, AcceptedToken>()({
  method: 'post',
  path: '/credential',
  summary: 'Credential endpoint',
  tags: ['wallet'],
  auth: 'accessToken',
  crossOrigin: true,
  request: {
    body: z.unknown(),
    documented: z.looseObject({
      format: z.literal(jwtVcJson),
      types: z
        .array(z.string())
        .min(1)
        .describe('As in the metadata, including VerifiableCredential'),
      proof: z.looseObject({
        proof_type: z.literal('jwt'),
        jwt: z.string().describe('Proof of possession with the current c_nonce'),
      }),
    }),
    limit: 65_536,
  },
  responses: {
    200: {
      description: 'The credential, or an acceptance_token to poll for it',
      body: zCredentialResponse,
    },
  },
  errors: [
    'invalid_token',
    'invalid_request',
    'invalid_proof',
    'invalid_nonce',
    'unsupported_credential_format',
    'unsupported_credential_type',
    'credential_request_denied',
  ],
  async handle({ body, principal, response }, dependencies) {
    const issued = await issueCredential(body, principal, dependencies)
    confirmWhenSent(response, issued.delivery, dependencies)
    return { status: 200, body: createCredentialResponse(issued.answer) }
  },
})

/** Confirms a delivery after the response was sent. */
function confirmWhenSent(
  response: Response,
  delivery: DeliveredCredential | undefined,
  dependencies: Dependencies,
): void {
  if (delivery) response.once('finish', () => confirmDelivery(delivery, dependencies))
}

/**
 * Returns a deferred credential: 202 until it is ready, then 200 in the format of the credential
 * endpoint (profile/connector, Endpoints for wallets).
 *
 * @assumption A-44
 * @row 1.endpoints/endpoints-an-issuer-exposes-to-the-wallet.4 1.endpoints/endpoints-an-issuer-exposes-to-the-wallet.12..13
 * @row 1.states-and-transitions.8..9
 */
export const postDeferredCredential = defineRoute<Dependencies>()({
  method: 'post',
  path: '/deferred_credential',
  summary: 'Deferred credential endpoint',
  tags: ['wallet'],
  auth: 'none',
  crossOrigin: true,
  request: {
    body: z.unknown(),
    documented: z.looseObject({ acceptance_token: z.string() }),
    limit: 16_384,
  },
  responses: {
    200: { description: 'The credential', body: zImmediateCredentialResponse },
    202: {
      description: 'Not ready yet; poll again',
      body: z.object({ acceptance_token: z.string() }),
    },
  },
  errors: ['invalid_request', 'invalid_token', 'credential_request_denied'],
  async handle({ body, request, response }, dependencies) {
    const collected = await collectDeferred(body, bearerOf(request), dependencies)
    if ('readyIn' in collected) {
      const { acceptanceToken, readyIn } = collected
      return {
        status: 202,
        body: { acceptance_token: acceptanceToken },
        headers: { 'retry-after': String(readyIn) },
      }
    }
    confirmWhenSent(response, collected.delivery, dependencies)
    return { status: 200, body: createCredentialResponse(collected.answer) }
  },
})

/**
 * The offer of a link by reference. It can be read any number of times, even after its expiry: the
 * token endpoint reports the state of its code.
 */
export const getOffer = defineRoute<Dependencies>()({
  method: 'get',
  path: '/offers/:id',
  summary: 'Credential offer by reference',
  tags: ['wallet'],
  auth: 'none',
  crossOrigin: true,
  request: { params: z.object({ id: z.string().describe('Random id of the offer') }) },
  responses: { 200: { description: 'The offer', body: zCredentialOffer } },
  errors: ['not_found'],
  async handle({ params }, { issuances, config }) {
    const issuance = await issuances.findByReference(params.id)
    const preauthCode = issuance && unseal(issuance.sealed_code, params.id)
    if (!issuance || preauthCode === undefined) {
      throw notFound('This offer does not exist, or a newer one has replaced it.')
    }
    return {
      status: 200,
      body: createOfferWire(issuance, preauthCode, config),
    }
  },
})
