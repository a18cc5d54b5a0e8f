import { z } from 'zod'
import { didRegistryCalls } from '../adapters/did-registry-contract.ts'
import { relationshipNames } from '../domain/create-did-document.ts'
import { exampleKey, exampleOtherKey, exampleValidity } from '../domain/examples.ts'
import { vMethodIdBytes } from '../domain/v-method-id-bytes.ts'
import {
  endsAfterItBegins,
  endsAfterItBeginsProblem,
  zDid,
  zFrom,
  zUnixTime,
  zVMethodId,
} from '../domain/z-fields.ts'
import { defineContractRoute } from './define-contract-route.ts'

/**
 * Associates a use with a key.
 *
 * @assumption A-04 A-47
 * @row 2.endpoints/did-registry.13
 */
export const addVerificationRelationship = defineContractRoute({
  operation: 'addVerificationRelationship',
  summary: 'Let a verification method be used for something from notBefore to notAfter',
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
