import { z } from 'zod'
import { didRegistryCalls } from '../adapters/did-registry-contract.ts'
import { defaultBaseDocument } from '../domain/base-document.ts'
import {
  exampleAlsoKnownAs,
  exampleKey,
  exampleOtherKey,
  exampleValidity,
} from '../domain/examples.ts'
import { controlKeyMembers, createControlKey } from '../domain/public-keys.ts'
import {
  endsAfterItBegins,
  endsAfterItBeginsProblem,
  zAlsoKnownAs,
  zBaseDocument,
  zController,
  zDid,
  zFrom,
} from '../domain/z-fields.ts'
import { defineContractRoute } from './define-contract-route.ts'

const { address: from, ...key } = exampleKey

/** Common members of the requests with a control key. */
const documentWithKey = {
  did: zDid,
  baseDocument: zBaseDocument.default(defaultBaseDocument),
  ...controlKeyMembers,
}
const exampleWithKey = { ...key, publicKeyType: 'secp256k1', ...exampleValidity } as const

/**
 * Registers a DID; the signer must be an authorized onboarding node (profile/did-registry, Write).
 *
 * @row 2.endpoints/did-registry.3 2.endpoints/did-registry.16..26
 */
export const insertFirstDidDocument = defineContractRoute({
  operation: 'insertFirstDidDocument',
  summary: 'Register a DID with its first control key',
  description: 'The transaction reverts unless `from` is authorized as an onboarding node.',
  body: z
    .object({
      ...documentWithKey,
      alsoKnownAs: zAlsoKnownAs,
      from: zFrom,
    })
    .refine(endsAfterItBegins, endsAfterItBeginsProblem),
  example: { ...exampleWithKey, alsoKnownAs: exampleAlsoKnownAs, from },
  call: (body) =>
    didRegistryCalls.insertFirstDidDocument.encodeInput({
      did: body.did,
      baseDocument: body.baseDocument,
      key: createControlKey(body),
      alternativeIdentifier: body.alsoKnownAs,
    }),
})

/**
 * Replaces a document and its control key (profile/did-registry, Write).
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
      ...documentWithKey,
      from: zFrom,
    })
    .refine(endsAfterItBegins, endsAfterItBeginsProblem),
  example: { ...exampleWithKey, from },
  call: (body) =>
    didRegistryCalls.insertDidDocument.encodeInput({
      did: body.did,
      baseDocument: body.baseDocument,
      key: createControlKey(body),
    }),
})

/**
 * Replaces alsoKnownAs (profile/did-registry, Write).
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

/**
 * Replaces the base document (profile/did-registry, Write).
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

/** The common request of adding and revoking a controller. */
const oneController = {
  body: z.object({ did: zDid, controller: zController, from: zFrom }),
  example: { did: exampleKey.did, controller: exampleOtherKey.did, from: exampleKey.address },
}

/**
 * Adds a controller: a DID, or the address of the key whose proof registered one.
 *
 * @assumption A-03
 * @row 2.endpoints/did-registry.7
 */
export const addController = defineContractRoute({
  operation: 'addController',
  summary: 'Add a controller of a DID',
  ...oneController,
  call: ({ did, controller }) =>
    controller.startsWith('0x')
      ? didRegistryCalls.addControllerByAccount.encodeInput({ did, account: controller })
      : didRegistryCalls.addController.encodeInput({ did, controller }),
})

/**
 * Revokes a controller: a DID, or the address of the key whose proof registered one.
 *
 * @assumption A-03
 * @row 2.endpoints/did-registry.8
 */
export const revokeController = defineContractRoute({
  operation: 'revokeController',
  summary: 'Revoke a controller of a DID',
  ...oneController,
  call: ({ did, controller }) =>
    controller.startsWith('0x')
      ? didRegistryCalls.revokeControllerByAccount.encodeInput({ did, account: controller })
      : didRegistryCalls.revokeController.encodeInput({ did, controller }),
})
