import { z } from 'zod'
import { didRegistryCalls } from '../adapters/did-registry-contract.ts'
import { exampleKey, exampleOtherKey } from '../domain/examples.ts'
import { parsePublicKey } from '../domain/parse-public-key.ts'
import { vMethodIdBytes } from '../domain/v-method-id-bytes.ts'
import { zDid, zFrom, zPublicKey, zPublicKeyType, zVMethodId } from '../domain/z-fields.ts'
import { defineContractRoute } from './define-contract-route.ts'

const { vMethodId, publicKey } = exampleOtherKey

/**
 * Registers a key that has no use yet (Document 2, Endpoints).
 *
 * @row 2.endpoints/did-registry.9 2.endpoints/did-registry.29
 */
export const addVerificationMethod = defineContractRoute({
  operation: 'addVerificationMethod',
  summary: 'Register a verification method',
  description: 'It has no use until addVerificationRelationship gives it one.',
  body: z.object({
    did: zDid,
    vMethodId: zVMethodId,
    publicKeyType: zPublicKeyType,
    publicKey: zPublicKey,
    from: zFrom,
  }),
  example: {
    did: exampleKey.did,
    vMethodId,
    publicKeyType: 'secp256k1',
    publicKey,
    from: exampleKey.address,
  },
  call: (body) =>
    didRegistryCalls.addVerificationMethod.encodeInput({
      did: body.did,
      vMethodId: vMethodIdBytes(body.vMethodId),
      ...parsePublicKey(body),
    }),
})
