import { parseJws } from '#core/crypto/jws.ts'
import { isTestbedError, type TestbedError } from '#core/errors/testbed-error.ts'
import type { CredentialType } from '#core/lear-credential/credential-type.ts'
import {
  type CredentialRequest,
  parseCredentialRequest,
  parseDeferredCredentialRequest,
} from '#core/oid4vci/credential-request.ts'
import type { CredentialResponse } from '#core/oid4vci/credential-response.ts'
import { jwtVcJson } from '#core/oid4vci/issuer-metadata.ts'
import { checkedProofRules, verifyProofOfPossession } from '#core/oid4vci/proof-of-possession.ts'
import { recordVerdicts } from '#kit/record-hops.ts'
import { digest, randomToken, seal, secretsEqual } from '#kit/secrets.ts'
import type { FoundCredential } from '../adapters/issuance-store.ts'
import { credentialIssuerOf } from '../config.ts'
import type { Dependencies } from '../dependencies.ts'
import { findRequestedType } from '../domain/credential-types.ts'
import { isWithdrawn } from '../domain/issuance-states.ts'
import {
  credentialRequestDenied,
  invalidAcceptanceToken,
  invalidToken,
  proofRefused,
  unsupportedCredentialType,
} from '../errors.ts'
import type { CredentialRow, IssuanceRow } from '../tables.ts'
import { openCredential, type SignedCredential, signCredential } from './sign-credential.ts'

/** An access token that was accepted, with its issuance. */
export interface AcceptedToken {
  readonly issuance: IssuanceRow
  readonly accessToken: string
}

interface Issued {
  readonly answer: CredentialResponse
  /**
   * The delivery to confirm to the issuer after sending the response; undefined if there is none.
   */
  readonly delivery?: DeliveredCredential
}

/**
 * Issues a credential of the access token's offer for a proof of possession. Each c_nonce works
 * once. While the offer contains credentials that the wallet has not requested, the response has
 * the next one. A wallet that lost the response may ask again with a fresh c_nonce and the same
 * key: it gets the same credential.
 *
 * @assumption A-59
 */
export async function issueCredential(
  body: unknown,
  { issuance, accessToken }: AcceptedToken,
  dependencies: Dependencies,
): Promise<Issued> {
  const request = await readRequest(body, issuance, dependencies)
  const type = selectType(request, issuance, dependencies)
  const holderDid = await verifyProof(request, issuance, dependencies)
  const credentials = await dependencies.issuances.listCredentials(issuance.id)
  const known = credentials.find(({ credential_type }) => credential_type === type.vcType)
  if (isWithdrawn(known ?? issuance)) throw credentialRequestDenied()
  const key = { issuance_id: issuance.id, credential_type: type.vcType }
  const asked = { issuance, type, key, holderDid, accessToken }
  if (!known && issuance.deferred_seconds !== null) return defer(asked, dependencies)
  const nonce = isLast(type, issuance, credentials) ? undefined : createNonce(dependencies)
  const { credential, credentialId } = known
    ? await repeat(asked, known, nonce, dependencies)
    : await issue(asked, nonce, dependencies)
  const answer = { kind: 'immediate', format: jwtVcJson, credential, ...nonce } as const
  // A delivered credential is confirmed already: repeated requests must not add confirmations.
  if (known?.state === 'delivered') return { answer }
  return { answer, delivery: { key, issuance, credentialId } }
}

async function readRequest(
  body: unknown,
  issuance: IssuanceRow,
  dependencies: Dependencies,
): Promise<CredentialRequest> {
  try {
    return parseCredentialRequest(body)
  } catch (error) {
    if (!isTestbedError(error) || error.code !== 'invalid_proof') throw error
    throw await proofError(error.code, error.message, issuance, dependencies)
  }
}

function selectType(
  { types }: CredentialRequest,
  issuance: IssuanceRow,
  { config }: Dependencies,
): CredentialType {
  const type = findRequestedType(types, config.credentialTypes)
  if (type && offeredTypes(issuance).includes(type.vcType)) return type
  throw unsupportedCredentialType(
    type
      ? 'The access token is not for a credential of these types.'
      : 'This connector does not issue credentials of these types.',
  )
}

function offeredTypes({ vc_names }: IssuanceRow): readonly string[] {
  return JSON.parse(vc_names)
}

/** True if the wallet has requested all others of the offer: it needs no further c_nonce. */
function isLast(
  { vcType }: CredentialType,
  issuance: IssuanceRow,
  credentials: readonly CredentialRow[],
): boolean {
  const asked = [vcType, ...credentials.map(({ credential_type }) => credential_type)]
  return offeredTypes(issuance).every((name) => asked.includes(name))
}

async function verifyProof(
  { proofJwt }: CredentialRequest,
  issuance: IssuanceRow,
  dependencies: Dependencies,
): Promise<string> {
  const { config, runtime, verificationCache: cache } = dependencies
  const { c_nonce_digest, c_nonce_expires_at } = issuance
  const proof = parseJws(proofJwt)
  const nonce = proof.ok ? String(proof.payload.nonce) : ''
  const isCurrent = secretsEqual(digest(nonce), String(c_nonce_digest))
  const result = verifyProofOfPossession({
    jwt: proofJwt,
    credentialIssuer: credentialIssuerOf(config),
    cNonce: isCurrent ? { value: nonce, expiresAt: Number(c_nonce_expires_at) } : undefined,
    now: runtime.clock.seconds(),
    algorithms: config.holderSuites,
    cache,
  })
  const failures = result.ok ? [] : result.failures
  recordVerdicts({ checked: checkedProofRules(failures), failures })
  if (result.ok) return result.holder.did
  const isNonceAlone = result.failures.every(({ rule }) => rule === 'proof.nonce')
  const reasons = result.failures.map(({ rule, reason }) => `${rule}: ${reason}`).join('; ')
  throw await proofError(
    isNonceAlone ? 'invalid_nonce' : 'invalid_proof',
    `The proof of possession was rejected. ${reasons}.`,
    issuance,
    dependencies,
  )
}

/** Every rejection of a proof has a fresh c_nonce, which replaces the previous one. */
async function proofError(
  code: string,
  message: string,
  issuance: IssuanceRow,
  dependencies: Dependencies,
): Promise<TestbedError> {
  const { cNonce, cNonceExpiresIn, expiresAt } = createNonce(dependencies)
  await dependencies.issuances.setNonce(issuance.id, cNonce, expiresAt)
  const extra = { c_nonce: cNonce, c_nonce_expires_in: cNonceExpiresIn }
  return proofRefused(code, message, extra)
}

function createNonce({ config, runtime }: Dependencies) {
  const cNonceExpiresIn = config.cNonceLifetimeSeconds
  const expiresAt = runtime.clock.seconds() + cNonceExpiresIn
  return { cNonce: randomToken(), cNonceExpiresIn, expiresAt }
}

interface AskedCredential {
  readonly issuance: IssuanceRow
  readonly type: CredentialType
  readonly key: Pick<CredentialRow, 'issuance_id' | 'credential_type'>
  readonly holderDid: string
  /** Encrypts the stored credential. */
  readonly accessToken: string
}

type Nonce = ReturnType<typeof createNonce>

async function issue(
  { issuance, type, key, holderDid, accessToken }: AskedCredential,
  nonce: Nonce | undefined,
  dependencies: Dependencies,
): Promise<SignedCredential> {
  const change = { used: issuance.c_nonce_digest, next: nonce }
  const requested = { ...key, holder_did: holderDid }
  const signed = await signCredential(issuance, type, holderDid, dependencies)
  if (!signed) {
    await dependencies.issuances.request('end', requested, change)
    throw credentialRequestDenied()
  }
  const { credential, credentialId: credential_id } = signed
  const row = { ...requested, credential: seal(credential, accessToken), credential_id }
  if (await dependencies.issuances.request('sign', row, change)) return signed
  throw await nonceUsed(issuance, dependencies)
}

function nonceUsed(issuance: IssuanceRow, dependencies: Dependencies): Promise<TestbedError> {
  const message = 'The c_nonce was used by another request at the same time.'
  return proofError('invalid_nonce', message, issuance, dependencies)
}

async function repeat(
  { issuance, holderDid, accessToken }: AskedCredential,
  known: CredentialRow,
  nonce: Nonce | undefined,
  dependencies: Dependencies,
): Promise<SignedCredential> {
  const change = { used: issuance.c_nonce_digest, next: nonce }
  if (!(await dependencies.issuances.spendNonce(issuance.id, change))) {
    throw await nonceUsed(issuance, dependencies)
  }
  if (known.holder_did !== holderDid) {
    throw credentialRequestDenied('The credential of this offer was issued to another key.')
  }
  const signed = openCredential(known, accessToken)
  if (signed) return signed
  throw credentialRequestDenied(
    known.state === 'deferred'
      ? 'The credential is being prepared; poll with the acceptance_token.'
      : 'The credential was already delivered for its acceptance_token. Request a new offer.',
  )
}

async function defer(
  { issuance, key, holderDid }: AskedCredential,
  dependencies: Dependencies,
): Promise<Issued> {
  const acceptanceToken = randomToken()
  const nonce = createNonce(dependencies)
  const taken = await dependencies.issuances.request(
    'defer',
    {
      ...key,
      holder_did: holderDid,
      acceptance_token_digest: digest(acceptanceToken),
      ready_at: dependencies.runtime.clock.seconds() + Number(issuance.deferred_seconds),
    },
    { used: issuance.c_nonce_digest, next: nonce },
  )
  if (!taken) throw await nonceUsed(issuance, dependencies)
  return { answer: { kind: 'deferred', acceptanceToken, ...nonce } }
}

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
  dependencies: Dependencies,
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
  if (token === undefined || secretsEqual(digest(token), String(access_token_digest))) return
  throw invalidToken(
    'The acceptance_token belongs to another access token.',
    'Bearer error="invalid_token"',
  )
}

async function obtain(
  { issuance, credential: row }: FoundCredential,
  acceptanceToken: string,
  dependencies: Dependencies,
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

export interface DeliveredCredential {
  readonly key: Pick<CredentialRow, 'issuance_id' | 'credential_type'>
  readonly issuance: IssuanceRow
  readonly credentialId: string
}

/**
 * Confirms the issuance to the issuer. Called only after the response with the credential was sent:
 * if the process ends before that, the record stays pending and the wallet may ask again.
 */
export function confirmDelivery(
  { key, issuance, credentialId }: DeliveredCredential,
  { issuances, outbox, runtime }: Dependencies,
): void {
  async function record(): Promise<void> {
    // The issuer has no record of a prepared credential. Stores the confirmation before taking the
    // step, since a duplicate is harmless but a missing one is not.
    const kept =
      issuance.recipe === null
        ? await outbox.add({ subjectId: issuance.subject_id, credentialId, event: 'issued' })
        : undefined
    await issuances.takeCredential('deliver', key)
    if (kept) await outbox.send(kept)
  }
  outbox.track(
    record().catch((error: unknown) => {
      runtime.log.error({ service: 'connector', err: error }, 'a delivery was not recorded')
    }),
  )
}
