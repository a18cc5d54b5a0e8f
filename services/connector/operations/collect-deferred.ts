import { parseDeferredCredentialRequest } from '#core/oid4vci/credential-request.ts'
import type { CredentialResponse } from '#core/oid4vci/credential-response.ts'
import { jwtVcJson } from '#core/oid4vci/issuer-metadata.ts'
import { seal, secretsEqual } from '#kit/secrets.ts'
import { digestOf, type FoundCredential } from '../adapters/issuance-store.ts'
import type { ConnectorDependencies } from '../dependencies.ts'
import { isWithdrawn } from '../domain/issuance-states.ts'
import { credentialRequestDenied, invalidAcceptanceToken, invalidToken } from '../errors.ts'
import type { IssuanceRow } from '../tables.ts'
import type { DeliveredCredential } from './confirm-delivery.ts'
import { openCredential, type SignedCredential, signCredential } from './sign-credential.ts'

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
 * @param accessToken the Bearer token of the request, if it has an Authorization header
 * @throws TestbedError `invalid_request`, `invalid_token`, `credential_request_denied`
 * @assumption A-44
 */
export async function collectDeferred(
  body: unknown,
  accessToken: string | undefined,
  dependencies: ConnectorDependencies,
): Promise<Collected> {
  const { issuances, runtime, config } = dependencies
  const acceptanceToken = parseDeferredCredentialRequest(body)
  const found = await issuances.findByAcceptanceToken(acceptanceToken)
  if (!found) throw invalidAcceptanceToken('is unknown')
  const { issuance, credential: row } = found
  checkBearer(accessToken, issuance)
  const now = runtime.clock.seconds()
  if (row.state === 'delivered') throw invalidAcceptanceToken('has already been used')
  const readyAt = Number(row.ready_at)
  // A credential may be delayed beyond the access token's lifetime; it stays available as long again.
  if (readyAt + config.accessTokenLifetimeSeconds <= now) {
    throw invalidAcceptanceToken('has expired')
  }
  if (isWithdrawn(row)) throw credentialRequestDenied()
  if (readyAt > now) return { acceptanceToken, readyIn: Math.ceil(readyAt - now) }
  const { credential, credentialId } = await obtain(found, acceptanceToken, dependencies)
  return {
    answer: { kind: 'immediate', format: jwtVcJson, credential },
    delivery: { key: row, issuance, credentialId },
  }
}

/** A Bearer token is optional, but must be the one that the acceptance_token was issued for. */
function checkBearer(token: string | undefined, { access_token_digest }: IssuanceRow): void {
  if (token === undefined || secretsEqual(digestOf(token), String(access_token_digest))) return
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
  const known = openCredential(row, acceptanceToken)
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
  const current = await issuances.findByAcceptanceToken(acceptanceToken)
  const theirs = current && openCredential(current.credential, acceptanceToken)
  if (!theirs) throw credentialRequestDenied()
  return theirs
}
