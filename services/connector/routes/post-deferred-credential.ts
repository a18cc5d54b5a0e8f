import type { Request } from 'express'
import { z } from 'zod'
import { parseDeferredCredentialRequest } from '#core/oid4vci/credential-request.ts'
import {
  createCredentialResponse,
  zImmediateCredentialResponse,
} from '#core/oid4vci/credential-response.ts'
import { jwtVcJson } from '#core/oid4vci/issuer-metadata.ts'
import { defineRoute } from '#kit/define-route.ts'
import { seal, secretsEqual, unseal } from '#kit/secrets.ts'
import { digestOf, type FoundCredential } from '../adapters/issuance-store.ts'
import type { ConnectorDependencies } from '../dependencies.ts'
import { isWithdrawn } from '../domain/issuance-states.ts'
import { credentialRequestDenied, invalidAcceptanceToken, invalidToken } from '../errors.ts'
import { confirmDelivery } from '../operations/confirm-delivery.ts'
import { type SignedCredential, signCredential } from '../operations/sign-credential.ts'
import type { CredentialRow, IssuanceRow } from '../tables.ts'

const noStore = { 'cache-control': 'no-store' }

/**
 * Hands over a deferred credential: 202 while it is not ready, then 200 in the shape of the
 * credential endpoint (Document 1, Endpoints an issuer exposes to the wallet).
 *
 * @assumption A-44
 * @row 1.endpoints/endpoints-an-issuer-exposes-to-the-wallet.4 1.endpoints/endpoints-an-issuer-exposes-to-the-wallet.12..13
 * @row 1.states-and-transitions.8..9
 */
export const postDeferredCredential = defineRoute<ConnectorDependencies>()({
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
    const { issuances, runtime } = dependencies
    const acceptanceToken = parseDeferredCredentialRequest(body)
    const found = await issuances.findByAcceptanceToken(acceptanceToken)
    if (!found) throw invalidAcceptanceToken('is unknown')
    const { issuance, credential: row } = found
    checkBearer(request, issuance)
    const now = runtime.clock.seconds()
    if (row.state === 'delivered') throw invalidAcceptanceToken('has been used already')
    if (expiryOf(found, dependencies) <= now) throw invalidAcceptanceToken('has expired')
    if (isWithdrawn(issuance) || isWithdrawn(row)) throw credentialRequestDenied()
    if (row.state === 'deferred' && (row.ready_at ?? 0) > now) {
      return {
        status: 202,
        body: { acceptance_token: acceptanceToken },
        headers: { ...noStore, 'retry-after': String(Math.ceil((row.ready_at ?? 0) - now)) },
      }
    }
    const { credential, credentialId } = await obtain(found, acceptanceToken, dependencies)
    confirmDelivery(
      response,
      {
        key: row,
        subjectId: issuance.subject_id,
        credentialId,
        isRecorded: issuance.recipe === null,
      },
      dependencies,
    )
    return {
      status: 200,
      body: createCredentialResponse({ kind: 'immediate', format: jwtVcJson, credential }),
      headers: noStore,
    }
  },
})

/** A credential that takes longer than an access token lives can still be fetched as long after. */
function expiryOf(
  { issuance: { access_token_expires_at }, credential: { ready_at } }: FoundCredential,
  { config }: ConnectorDependencies,
): number {
  return Math.max(access_token_expires_at ?? 0, (ready_at ?? 0) + config.accessTokenLifetimeSeconds)
}

/** A Bearer may be left out; one that is sent has to be the one that the token was issued under. */
function checkBearer(request: Request, { access_token_digest }: IssuanceRow): void {
  const header = request.get('authorization')
  if (header === undefined) return
  const token = /^Bearer (\S+)$/i.exec(header)?.[1] ?? ''
  if (secretsEqual(digestOf(token), access_token_digest ?? '')) return
  throw invalidToken(
    'The acceptance_token belongs to another access token.',
    'Bearer error="invalid_token"',
  )
}

async function obtain(
  { issuance, credential: row }: FoundCredential,
  acceptanceToken: string,
  dependencies: ConnectorDependencies,
): Promise<SignedCredential> {
  const known = signedPart(row, acceptanceToken)
  if (known) return known
  const { issuances, config } = dependencies
  const type = config.credentialTypes.find(({ vcType }) => vcType === row.credential_type)
  if (!type) throw credentialRequestDenied()
  const signed = await signCredential(issuance, type, row.holder_did, dependencies)
  if (!signed) {
    await issuances.takeCredential('end', row)
    throw credentialRequestDenied()
  }
  const taken = await issuances.takeCredential('sign', row, {
    credential: seal(signed.credential, acceptanceToken),
    credential_id: signed.credentialId,
  })
  if (taken) return signed
  // Another poll came at the same time: there is one credential, and this is not it.
  const current = await issuances.listCredentials(issuance.id)
  const theirs = current
    .filter(({ credential_type }) => credential_type === row.credential_type)
    .map((each) => signedPart(each, acceptanceToken))[0]
  if (!theirs) throw credentialRequestDenied()
  return theirs
}

function signedPart(
  { credential: sealed, credential_id: credentialId }: CredentialRow,
  acceptanceToken: string,
): SignedCredential | undefined {
  const credential = sealed === null ? undefined : unseal(sealed, acceptanceToken)
  return credential !== undefined && credentialId !== null
    ? { credential, credentialId }
    : undefined
}
