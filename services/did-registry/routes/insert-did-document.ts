import { z } from 'zod'
import { didRegistryCalls } from '../adapters/did-registry-contract.ts'
import { defaultBaseDocument } from '../domain/base-document.ts'
import { controlKeyMembers, createControlKey } from '../domain/control-key.ts'
import { exampleKey, exampleValidity } from '../domain/examples.ts'
import {
  endsAfterItBegins,
  endsAfterItBeginsProblem,
  zBaseDocument,
  zDid,
  zFrom,
} from '../domain/z-fields.ts'
import { defineContractRoute } from './define-contract-route.ts'

const { address: from, ...key } = exampleKey

/**
 * Replaces a document and its control key (Document 2, Endpoints).
 *
 * @assumption A-02
 * @row 2.endpoints/did-registry.4 2.endpoints/did-registry.27
 */
export const insertDidDocument = defineContractRoute({
  operation: 'insertDidDocument',
  summary: 'Replace the base document and the control key of a DID',
  description: 'The transaction reverts unless `from` is a current controller.',
  body: z
    .object({
      did: zDid,
      baseDocument: zBaseDocument.default(defaultBaseDocument),
      ...controlKeyMembers,
      from: zFrom,
    })
    .refine(endsAfterItBegins, endsAfterItBeginsProblem),
  example: { ...key, publicKeyType: 'secp256k1', ...exampleValidity, from },
  call: (body) =>
    didRegistryCalls.insertDidDocument.encodeInput({
      did: body.did,
      baseDocument: body.baseDocument,
      key: createControlKey(body),
    }),
})
