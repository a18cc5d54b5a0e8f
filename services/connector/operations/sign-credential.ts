import { randomUUID } from 'node:crypto'
import { signJws } from '#core/crypto/jws.ts'
import type { CredentialType } from '#core/lear-credential/credential-type.ts'
import { createLearCredential } from '#core/lear-credential/lear-credential.ts'
import { unseal } from '#kit/secrets.ts'
import type { Dependencies } from '../dependencies.ts'
import { credentialSchemaUrl } from '../domain/credential-types.ts'
import { credentialRequestDenied } from '../errors.ts'
import type { CredentialRow, IssuanceRow } from '../tables.ts'

export interface SignedCredential {
  readonly credentialId: string
  readonly credential: string
}

/** The stored credential; undefined if it is not signed yet, or was sealed with another secret. */
export function openCredential(
  { credential: sealed, credential_id }: CredentialRow,
  secret: string,
): SignedCredential | undefined {
  const credential = sealed === null ? undefined : unseal(sealed, secret)
  return credential === undefined ? undefined : { credential, credentialId: String(credential_id) }
}

/**
 * Requests the claims from the issuer and signs the credential with the registered key. Undefined
 * if the issuer has no such credential to issue for this subject any more.
 *
 * @assumption A-26 A-27 A-39
 */
export async function signCredential(
  issuance: IssuanceRow,
  { vcType: type, inheritedTypes, validitySeconds }: CredentialType,
  holderDid: string,
  dependencies: Dependencies,
): Promise<SignedCredential | undefined> {
  if (issuance.recipe !== null) return prepare(issuance.recipe, holderDid, dependencies)
  const { config, runtime, issuer, signingKey } = dependencies
  const claims = await issuer.requestClaims(issuance.subject_id, type)
  if (!claims) return undefined
  const now = runtime.clock.seconds()
  const credentialId = claims.credentialId ?? `urn:uuid:${randomUUID()}`
  const payload = createLearCredential({
    id: credentialId,
    issuerDid: config.issuerDid,
    holderDid,
    mandate: claims.mandate,
    termsOfUseUrl: config.accreditationUrl,
    ...(claims.credentialStatus ? { credentialStatus: claims.credentialStatus } : {}),
    credentialSchemaUrl: credentialSchemaUrl(type, config),
    now,
    validUntil: claims.validUntil ?? now + validitySeconds,
    type,
    inheritedTypes,
  })
  const credential = signJws({
    header: { alg: 'ES256K', typ: 'JWT', kid: `${config.issuerDid}#${config.issuerVMethodId}` },
    payload,
    privateKey: signingKey,
  })
  return { credentialId, credential }
}

async function prepare(
  recipe: string,
  holderDid: string,
  { prepareCredential }: Dependencies,
): Promise<SignedCredential> {
  const credential = await prepareCredential?.(recipe, holderDid)
  if (credential === undefined) throw credentialRequestDenied()
  return { credentialId: `urn:uuid:${randomUUID()}`, credential }
}
