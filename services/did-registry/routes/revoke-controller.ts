import { z } from 'zod'
import { didRegistryCalls } from '../adapters/did-registry-contract.ts'
import { exampleKey, exampleOtherKey } from '../domain/examples.ts'
import { zController, zDid, zFrom } from '../domain/z-fields.ts'
import { defineContractRoute } from './define-contract-route.ts'

/**
 * Revokes a controller: a DID, or the address of the key whose proof registered one.
 *
 * @assumption A-03
 * @row 2.endpoints/did-registry.8
 */
export const revokeController = defineContractRoute({
  operation: 'revokeController',
  summary: 'Revoke a controller of a DID',
  body: z.object({ did: zDid, controller: zController, from: zFrom }),
  example: { did: exampleKey.did, controller: exampleOtherKey.did, from: exampleKey.address },
  call: ({ did, controller }) =>
    controller.startsWith('0x')
      ? didRegistryCalls.revokeControllerByAccount.encodeInput({ did, account: controller })
      : didRegistryCalls.revokeController.encodeInput({ did, controller }),
})
