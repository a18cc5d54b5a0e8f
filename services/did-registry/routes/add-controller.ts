import { z } from 'zod'
import { didRegistryCalls } from '../adapters/did-registry-contract.ts'
import { exampleKey, exampleOtherKey } from '../domain/examples.ts'
import { zController, zDid, zFrom } from '../domain/z-fields.ts'
import { defineContractRoute } from './define-contract-route.ts'

/**
 * Adds a controller: a DID, or the address of the key whose proof registered one.
 *
 * @assumption A-03
 * @row 2.endpoints/did-registry.7
 */
export const addController = defineContractRoute({
  operation: 'addController',
  summary: 'Add a controller of a DID',
  body: z.object({ did: zDid, controller: zController, from: zFrom }),
  example: { did: exampleKey.did, controller: exampleOtherKey.did, from: exampleKey.address },
  call: ({ did, controller }) =>
    controller.startsWith('0x')
      ? didRegistryCalls.addControllerByAccount.encodeInput({ did, account: controller })
      : didRegistryCalls.addController.encodeInput({ did, controller }),
})
