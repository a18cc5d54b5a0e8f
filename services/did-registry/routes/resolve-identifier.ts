import { z } from 'zod'
import { zDidDocument } from '#core/did/did-document.ts'
import { TestbedError } from '#core/errors/testbed-error.ts'
import { defineRoute } from '#kit/define-route.ts'
import type { DidRegistryDependencies } from '../dependencies.ts'
import { chooseMediaType, didMediaTypes } from '../domain/choose-media-type.ts'
import { createDidDocument } from '../domain/create-did-document.ts'
import { exampleDocument, exampleKey, exampleValidity } from '../domain/examples.ts'
import { parseValidAt } from '../domain/parse-valid-at.ts'
import { requireEnvironment } from '../domain/require-environment.ts'
import { commonErrors, errorCodes, notRegistered, refuseInput } from '../errors.ts'

/**
 * Resolves a DID, now or as of an instant, with one call of the contract.
 *
 * @assumption A-08
 * @row 2.endpoints/did-registry.2 2.errors/did-registry.8
 */
export const resolveIdentifier = defineRoute<DidRegistryDependencies>()({
  method: 'get',
  path: '/api/v1/identifiers/:identifier',
  summary: 'Resolve a DID',
  description: `Accept: ${didMediaTypes.join(' or ')}.`,
  tags: ['Reading'],
  auth: 'none',
  crossOrigin: true,
  request: {
    params: z.object({
      identifier: z.string().describe('A full DID').meta({ example: exampleKey.did }),
    }),
    query: z.object({
      'valid-at': z
        .string()
        .refine((text) => parseValidAt(text) !== undefined, 'must be a number of Unix seconds')
        .optional()
        .describe('Unix seconds: the document as of that instant')
        .meta({ type: 'number', example: exampleValidity.notBefore }),
    }),
  },
  responses: {
    200: {
      description: 'DID document',
      body: zDidDocument,
      contentType: didMediaTypes,
      example: exampleDocument,
    },
  },
  errors: [...commonErrors, errorCodes.notFound, errorCodes.notAcceptable],
  invalidInput: refuseInput,
  async handle({ params, query, request }, { environment, contract, clock }) {
    const did = params.identifier
    requireEnvironment(did, environment, 'identifier')
    const mediaType = chooseMediaType(request.get('accept'))
    if (mediaType === undefined) throw notAcceptable()
    const validAt = query['valid-at'] === undefined ? undefined : parseValidAt(query['valid-at'])
    const state =
      validAt === undefined
        ? await contract.resolve(did, clock.seconds())
        : await contract.resolveAt(did, validAt)
    if (state === undefined) throw notRegistered(did, validAt)
    return {
      status: 200,
      contentType: mediaType,
      headers: { vary: 'accept' },
      // As bytes, since Express would add a charset to text, which these types don't define.
      body: Buffer.from(JSON.stringify(createDidDocument(did, state))),
    }
  },
})

function notAcceptable(): TestbedError {
  return new TestbedError({
    code: errorCodes.notAcceptable,
    status: 406,
    message: `DID documents are served as ${didMediaTypes.join(' or ')}.`,
    headers: { vary: 'accept' },
  })
}
