import { z } from 'zod'
import { didRegistryCalls } from '../adapters/did-registry-contract.ts'
import { exampleKey, exampleOtherKey, exampleValidity } from '../domain/examples.ts'
import { parsePublicKey } from '../domain/parse-public-key.ts'
import { vMethodIdBytes } from '../domain/v-method-id-bytes.ts'
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
 * Lets a new key take over from an old one.
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
