import { z } from 'zod'
import { didRegistryCalls } from '../adapters/did-registry-contract.ts'
import { defaultBaseDocument } from '../domain/base-document.ts'
import { controlKeyMembers, createControlKey } from '../domain/control-key.ts'
import { exampleAlsoKnownAs, exampleKey, exampleValidity } from '../domain/examples.ts'
import {
  endsAfterItBegins,
  endsAfterItBeginsProblem,
  zAlsoKnownAs,
  zBaseDocument,
  zDid,
  zFrom,
} from '../domain/z-fields.ts'
import { defineContractRoute } from './define-contract-route.ts'

const { address: from, ...key } = exampleKey

/**
 * Registers a DID; the signer has to be an authorized onboarding node (Document 2, Endpoints).
 *
 * @row 2.endpoints/did-registry.3 2.endpoints/did-registry.16..26
 */
export const insertFirstDidDocument = defineContractRoute({
  operation: 'insertFirstDidDocument',
  summary: 'Register a DID with its first control key',
  description: 'The transaction reverts unless `from` is authorized as an onboarding node.',
  body: z
    .object({
      did: zDid,
      baseDocument: zBaseDocument.default(defaultBaseDocument),
      ...controlKeyMembers,
      alsoKnownAs: zAlsoKnownAs,
      from: zFrom,
    })
    .refine(endsAfterItBegins, endsAfterItBeginsProblem),
  example: {
    ...key,
    publicKeyType: 'secp256k1',
    ...exampleValidity,
    alsoKnownAs: exampleAlsoKnownAs,
    from,
  },
  call: (body) =>
    didRegistryCalls.insertFirstDidDocument.encodeInput({
      did: body.did,
      baseDocument: body.baseDocument,
      key: createControlKey(body),
      alternativeIdentifier: body.alsoKnownAs,
    }),
})
