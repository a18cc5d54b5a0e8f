import type { CredentialRequest, CredentialRequestWire } from './credential-request.ts'

/** The wire form of a credential request (Document 1, Endpoints an issuer exposes to the wallet). */
export function createCredentialRequest({
  format,
  types,
  proofJwt,
}: CredentialRequest): CredentialRequestWire {
  return { format, types: [...types], proof: { proof_type: 'jwt', jwt: proofJwt } }
}
