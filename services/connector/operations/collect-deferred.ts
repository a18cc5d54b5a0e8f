import { parseDeferredCredentialRequest } from '#core/oid4vci/credential-request.ts'
import type { CredentialResponse } from '#core/oid4vci/credential-response.ts'
import { jwtVcJson } from '#core/oid4vci/issuer-metadata.ts'
import { seal, secretsEqual, unseal } from '#kit/secrets.ts'
import { digestOf, type FoundCredential } from '../adapters/issuance-store.ts'
import type { ConnectorDependencies } from '../dependencies.ts'
import { isWithdrawn } from '../domain/issuance-states.ts'
import { credentialRequestDenied, invalidAcceptanceToken, invalidToken } from '../errors.ts'
import type { CredentialRow, IssuanceRow } from '../tables.ts'
import type { DeliveredCredential } from './confirm-delivery.ts'
import { type SignedCredential, signCredential } from './sign-credential.ts'

type Collected =
  | {
      readonly acceptanceToken: string
      /** Seconds. */
      readonly readyIn: number
    }
  | {
      readonly answer: CredentialResponse
      /** The delivery to confirm to the issuer after sending the response. */
      readonly delivery: DeliveredCredential
    }

/**
 * Returns a deferred credential, or the time until it is ready.
 * @param authorization the header of the request, if it has one
 * @throws TestbedError `invalid_request`, `invalid_token`, `credential_request_denied`
 * @assumption A-44
 */
export async function collectDeferred(
  body: unknown,
  authorization: string | undefined,
  dependencies: ConnectorDependencies,
): Promise<Collected> {
  const { issuances, runtime } = dependencies
  const acceptanceToken = parseDeferredCredentialRequest(body)
  const found = await issuances.findByAcceptanceToken(acceptanceToken)
  if (!found) throw invalidAcceptanceToken('is unknown')
  const { issuance, credential: row } = found
  checkBearer(authorization, issuance)
  const now = runtime.clock.seconds()
  if (row.state === 'delivered') throw invalidAcceptanceToken('has already been used')
  if (expiryOf(found, dependencies) <= now) throw invalidAcceptanceToken('has expired')
  if (isWithdrawn(issuance) || isWithdrawn(row)) throw credentialRequestDenied()
  if (row.state === 'deferred' && (row.ready_at ?? 0) > now) {
    return { acceptanceToken, readyIn: Math.ceil((row.ready_at ?? 0) - now) }
  }
  const { credential, credentialId } = await obtain(found, acceptanceToken, dependencies)
  return {
    answer: { kind: 'immediate', format: jwtVcJson, credential },
    delivery: { key: row, issuance, credentialId },
  }
}

/**
 * A credential may be delayed beyond the access token's lifetime; it stays available as long again.
 */
function expiryOf(
  { issuance: { access_token_expires_at }, credential: { ready_at } }: FoundCredential,
  { config }: ConnectorDependencies,
): number {
  return Math.max(access_token_expires_at ?? 0, (ready_at ?? 0) + config.accessTokenLifetimeSeconds)
}

/** A Bearer token is optional, but must be the one that the acceptance_token was issued for. */
function checkBearer(header: string | undefined, { access_token_digest }: IssuanceRow): void {
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
  // Another poll came at the same time; return the credential that it created.
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
