import { z } from 'zod'

/** A public key in a DID document; further members of the JWK stay. */
export const zPublicKeyJwk = z.looseObject({
  kty: z.string(),
  crv: z.string().optional(),
  x: z.string().optional(),
  y: z.string().optional(),
})

/** A verification method as it is resolved: always JsonWebKey2020 with publicKeyJwk. */
export const zVerificationMethod = z.looseObject({
  id: z.string(),
  type: z.string(),
  controller: z.string(),
  publicKeyJwk: zPublicKeyJwk,
})

/**
 * The resolution result of the DID registry, W3C form (Document 2, DID document). Controllers are
 * addresses. `assertionMethod` is always there, the other relationships where they hold something.
 *
 * @assumption A-09
 */
export const zDidDocument = z.looseObject({
  '@context': z.array(z.unknown()),
  id: z.string(),
  controller: z.array(z.string()),
  verificationMethod: z.array(zVerificationMethod),
  assertionMethod: z.array(z.string()),
  authentication: z.array(z.string()).optional(),
  keyAgreement: z.array(z.string()).optional(),
  capabilityInvocation: z.array(z.string()).optional(),
  capabilityDelegation: z.array(z.string()).optional(),
  alsoKnownAs: z.array(z.string()).optional(),
})

export type VerificationMethod = z.infer<typeof zVerificationMethod>
export type DidDocument = z.infer<typeof zDidDocument>
