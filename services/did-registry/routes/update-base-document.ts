import { z } from 'zod'
import { didRegistryCalls } from '../adapters/did-registry-contract.ts'
import { defaultBaseDocument } from '../domain/base-document.ts'
import { exampleKey } from '../domain/examples.ts'
import { zBaseDocument, zDid, zFrom } from '../domain/z-fields.ts'
import { defineContractRoute } from './define-contract-route.ts'

/**
 * Replaces the base document (Document 2, Endpoints).
 *
 * @row 2.endpoints/did-registry.6
 */
export const updateBaseDocument = defineContractRoute({
  operation: 'updateBaseDocument',
  summary: 'Replace the @context of a DID document',
  body: z.object({ did: zDid, baseDocument: zBaseDocument, from: zFrom }),
  example: {
    did: exampleKey.did,
    baseDocument: defaultBaseDocument,
    from: exampleKey.address,
  },
  call: ({ did, baseDocument }) =>
    didRegistryCalls.updateBaseDocument.encodeInput({ did, baseDocument }),
})
