import { z } from 'zod'
import { relationshipNames } from '#core/did/did-document.ts'
import { didRegistryCalls } from '../adapters/did-registry-contract.ts'
import { exampleKey, exampleOtherKey, exampleValidity } from '../domain/examples.ts'
import { parsePublicKey, vMethodIdBytes } from '../domain/public-keys.ts'
import {
  endsAfterItBegins,
  endsAfterItBeginsProblem,
  zDid,
  zDuration,
  zFrom,
  zPublicKey,
  zPublicKeyType,
  zUnixTime,
  zVMethodId,
} from '../domain/z-fields.ts'
import { defineContractRoute } from './define-contract-route.ts'

/**
 * Registers a key without a use (profile/did-registry, Write).
 *
 * @row 2.endpoints/did-registry.9 2.endpoints/did-registry.29
 */
export const addVerificationMethod = defineContractRoute({
  operation: 'addVerificationMethod',
  summary: 'Register a verification method',
  description: 'It has no use until addVerificationRelationship adds one.',
  body: z.object({
    did: zDid,
    vMethodId: zVMethodId,
    publicKeyType: zPublicKeyType,
    publicKey: zPublicKey,
    from: zFrom,
  }),
  example: {
    did: exampleKey.did,
    vMethodId: exampleOtherKey.vMethodId,
    publicKeyType: 'secp256k1',
    publicKey: exampleOtherKey.publicKey,
    from: exampleKey.address,
  },
  call: (body) =>
    didRegistryCalls.addVerificationMethod.encodeInput({
      did: body.did,
      vMethodId: vMethodIdBytes(body.vMethodId),
      ...parsePublicKey(body),
    }),
})

/** The common request of revoke and expire. */
const endOfUse = {
  body: z.object({
    did: zDid,
    vMethodId: zVMethodId,
    notAfter: zUnixTime.describe('Unix time after which the key stops being valid'),
    from: zFrom,
  }),
  example: {
    did: exampleKey.did,
    vMethodId: exampleOtherKey.vMethodId,
    notAfter: exampleValidity.notAfter,
    from: exampleKey.address,
  },
}

const argumentsOf = ({ did, vMethodId, notAfter }: z.output<typeof endOfUse.body>) => ({
  did,
  vMethodId: vMethodIdBytes(vMethodId),
  notAfter: BigInt(notAfter),
})

/**
 * Ends the uses of a verification method at a given notAfter.
 *
 * @assumption A-07
 * @row 2.endpoints/did-registry.10 2.endpoints/did-registry.30
 */
export const revokeVerificationMethod = defineContractRoute({
  operation: 'revokeVerificationMethod',
  summary: 'Revoke a verification method',
  description: 'For a compromised key: signatures made after notAfter are not valid.',
  ...endOfUse,
  call: (body) => didRegistryCalls.revokeVerificationMethod.encodeInput(argumentsOf(body)),
})

/**
 * Ends the uses of a verification method at a given notAfter.
 *
 * @assumption A-07
 * @row 2.endpoints/did-registry.11 2.endpoints/did-registry.30
 */
export const expireVerificationMethod = defineContractRoute({
  operation: 'expireVerificationMethod',
  summary: 'Expire a verification method',
  description: "For the planned end of a key's lifetime, with the same fields as revoke.",
  ...endOfUse,
  call: (body) => didRegistryCalls.expireVerificationMethod.encodeInput(argumentsOf(body)),
})

/**
 * Replaces an old key with a new one.
 *
 * @assumption A-07
 * @row 2.endpoints/did-registry.12 2.endpoints/did-registry.31
 */
export const rollVerificationMethod = defineContractRoute({
  operation: 'rollVerificationMethod',
  summary: 'Rotate a key, with both valid during an overlap',
  body: z
    .object({
      did: zDid,
      vMethodId: zVMethodId.describe('The new key'),
      publicKeyType: zPublicKeyType,
      publicKey: zPublicKey,
      notBefore: zUnixTime.describe('Start of the validity of the new key'),
      notAfter: zUnixTime.describe('Expiry of the new key'),
      oldVMethodId: zVMethodId.describe('The key to rotate'),
      duration: zDuration,
      from: zFrom,
    })
    .refine(endsAfterItBegins, endsAfterItBeginsProblem),
  example: {
    did: exampleKey.did,
    vMethodId: exampleOtherKey.vMethodId,
    publicKeyType: 'secp256k1',
    publicKey: exampleOtherKey.publicKey,
    ...exampleValidity,
    oldVMethodId: exampleKey.vMethodId,
    duration: 86_400,
    from: exampleKey.address,
  },
  call: (body) =>
    didRegistryCalls.rollVerificationMethod.encodeInput({
      did: body.did,
      oldVMethodId: vMethodIdBytes(body.oldVMethodId),
      successor: {
        vMethodId: vMethodIdBytes(body.vMethodId),
        ...parsePublicKey(body),
        notBefore: BigInt(body.notBefore),
        notAfter: BigInt(body.notAfter),
        duration: BigInt(body.duration),
      },
    }),
})

/**
 * Adds a use to a key.
 *
 * @assumption A-04 A-47
 * @row 2.endpoints/did-registry.13
 */
export const addVerificationRelationship = defineContractRoute({
  operation: 'addVerificationRelationship',
  summary: 'Add a use to a verification method, from notBefore to notAfter',
  body: z
    .object({
      did: zDid,
      name: z.enum(relationshipNames).describe('The use'),
      vMethodId: zVMethodId,
      notBefore: zUnixTime,
      notAfter: zUnixTime,
      from: zFrom,
    })
    .refine(endsAfterItBegins, endsAfterItBeginsProblem),
  example: {
    did: exampleKey.did,
    name: 'assertionMethod',
    vMethodId: exampleOtherKey.vMethodId,
    ...exampleValidity,
    from: exampleKey.address,
  },
  call: (body) =>
    didRegistryCalls.addVerificationRelationship.encodeInput({
      did: body.did,
      relationship: BigInt(relationshipNames.indexOf(body.name)),
      vMethodId: vMethodIdBytes(body.vMethodId),
      notBefore: BigInt(body.notBefore),
      notAfter: BigInt(body.notAfter),
    }),
})
