import { z } from 'zod'
import { didRegistryCalls } from '../adapters/did-registry-contract.ts'
import { exampleKey, exampleOtherKey, exampleValidity } from '../domain/examples.ts'
import { vMethodIdBytes } from '../domain/v-method-id-bytes.ts'
import { zDid, zFrom, zUnixTime, zVMethodId } from '../domain/z-fields.ts'
import { defineContractRoute } from './define-contract-route.ts'

/**
 * Ends the uses of a verification method at any notAfter.
 *
 * @assumption A-07
 * @row 2.endpoints/did-registry.11 2.endpoints/did-registry.30
 */
export const expireVerificationMethod = defineContractRoute({
  operation: 'expireVerificationMethod',
  summary: 'Expire a verification method',
  description: "For the natural end of a key's life, with the same fields as revoke.",
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
  call: ({ did, vMethodId, notAfter }) =>
    didRegistryCalls.expireVerificationMethod.encodeInput({
      did,
      vMethodId: vMethodIdBytes(vMethodId),
      notAfter: BigInt(notAfter),
    }),
})
