import { isJsonObject, membersOf } from '#core/json/json-object.ts'
import { invalidProof, invalidRequest, unsupportedCredentialFormat } from './errors.ts'
import { jwtVcJson, verifiableCredentialType } from './issuer-metadata.ts'

/** The wire form of a credential request (profile/connector, Endpoints for wallets). */
interface CredentialRequestWire {
  readonly format: string
  readonly types: readonly string[]
  readonly proof: { readonly proof_type: string; readonly jwt: string }
}

/** A credential request, independent of the dialect. */
export interface CredentialRequest {
  readonly format: string
  readonly types: readonly string[]
  /** The proof of possession, a JWT. */
  readonly proofJwt: string
}

/** The wire form of a credential request (profile/connector, Endpoints for wallets). */
export function createCredentialRequest({
  format,
  types,
  proofJwt,
}: CredentialRequest): CredentialRequestWire {
  return { format, types: [...types], proof: { proof_type: 'jwt', jwt: proofJwt } }
}

/**
 * Reads the body of a credential request (profile/connector, Endpoints for wallets). Throws a
 * TestbedError with the codes of OpenID4VCI: `invalid_request`, `unsupported_credential_format`,
 * and `invalid_proof` if the proof is missing or not a JWT proof.
 */
export function parseCredentialRequest(body: unknown): CredentialRequest {
  if (!isJsonObject(body)) throw invalidRequest('The body is not a JSON object.')
  const { format, types, proof } = body
  if (typeof format !== 'string') throw invalidRequest('format is missing or not a string.')
  if (format !== jwtVcJson) {
    throw unsupportedCredentialFormat(jwtVcJson)
  }
  if (!isStringArray(types) || !types.includes(verifiableCredentialType)) {
    throw invalidRequest(
      `types must be a list of strings that includes ${verifiableCredentialType}.`,
    )
  }
  if (!isJsonObject(proof)) throw invalidProof('The proof is missing or not an object.')
  if (proof.proof_type !== 'jwt') {
    throw invalidProof('The only supported proof_type is jwt.')
  }
  if (typeof proof.jwt !== 'string' || proof.jwt === '') {
    throw invalidProof('The proof does not contain a jwt.')
  }
  return { format, types, proofJwt: proof.jwt }
}

function isStringArray(value: unknown): value is string[] {
  return Array.isArray(value) && value.every((item) => typeof item === 'string')
}

/**
 * Creates the body of a deferred credential request (profile/connector, Deferred credential).
 */
export function createDeferredCredentialRequest(acceptanceToken: string): {
  readonly acceptance_token: string
} {
  return { acceptance_token: acceptanceToken }
}

/**
 * Reads the acceptance token from the body (profile/connector, Deferred credential). Throws a
 * TestbedError `invalid_request` if it is missing.
 */
export function parseDeferredCredentialRequest(body: unknown): string {
  const { acceptance_token: token } = membersOf(body)
  if (typeof token === 'string' && token !== '') return token
  throw invalidRequest('acceptance_token is missing or not a string.')
}
