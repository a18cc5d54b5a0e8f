import { z } from 'zod'
import { didRegistryCalls } from '../adapters/did-registry-contract.ts'
import { exampleAlsoKnownAs, exampleKey } from '../domain/examples.ts'
import { zAlsoKnownAs, zDid, zFrom } from '../domain/z-fields.ts'
import { defineContractRoute } from './define-contract-route.ts'

/**
 * Replaces alsoKnownAs (Document 2, Endpoints).
 *
 * @row 2.endpoints/did-registry.5
 */
export const updateAlsoKnownAs = defineContractRoute({
  operation: 'updateAlsoKnownAs',
  summary: 'Replace the alternative identifier of a DID',
  body: z.object({ did: zDid, alsoKnownAs: zAlsoKnownAs, from: zFrom }),
  example: {
    did: exampleKey.did,
    alsoKnownAs: exampleAlsoKnownAs,
    from: exampleKey.address,
  },
  call: ({ did, alsoKnownAs }) =>
    didRegistryCalls.updateAlsoKnownAs.encodeInput({ did, alternativeIdentifier: alsoKnownAs }),
})
