import { z } from 'zod'
import { zDidDocument } from '#core/did/did-document.ts'
import { defineRoute } from '#kit/define-route.ts'
import { pageOf, pageQuery, replyPage } from '#kit/lists.ts'
import type { Dependencies } from '../dependencies.ts'
import { type ContractDidDocument, createDidDocument } from '../domain/did-document.ts'
import { exampleDocument, exampleKey, exampleValidity } from '../domain/examples.ts'
import { chooseMediaType, didMediaTypes, parseValidAt } from '../domain/resolution-options.ts'
import { requireEnvironment } from '../domain/z-fields.ts'
import { commonErrors, errorCodes, notAcceptable, notRegistered, refuseInput } from '../errors.ts'

/**
 * The registered DIDs, page by page (profile/did-registry, Write).
 *
 * @row 2.endpoints/did-registry.1
 */
export const listIdentifiers = defineRoute<Dependencies>()({
  method: 'get',
  path: '/api/v1/identifiers',
  summary: 'List the registered DIDs',
  tags: ['Reading'],
  auth: 'none',
  cacheable: true,
  request: {
    query: z.object(pageQuery),
  },
  responses: {
    200: {
      description: 'A page of DIDs',
      body: pageOf(z.string()),
      example: { page: 1, pageSize: 10, total: 1, howMany: 1, items: [exampleKey.did] },
    },
  },
  errors: commonErrors,
  invalidInput: refuseInput,
  async handle({ query }, { contract }) {
    const offset = (BigInt(query.page) - 1n) * BigInt(query.pageSize)
    const { total, items } = await contract.identifiers(offset, query.pageSize)
    return replyPage(query, total, items)
  },
})

/**
 * Resolves a DID, now or at a past time, with one call of the contract.
 *
 * @assumption A-08
 * @row 2.endpoints/did-registry.2 2.errors/did-registry.8
 */
export const resolveIdentifier = defineRoute<Dependencies>()({
  method: 'get',
  path: '/api/v1/identifiers/:identifier',
  summary: 'Resolve a DID',
  description: `Accept: ${didMediaTypes.join(' or ')}.`,
  tags: ['Reading'],
  auth: 'none',
  cacheable: true,
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
        .describe('Unix seconds: the document at that time')
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
      body: serialize(state),
    }
  },
})

const serialized = new WeakMap<ContractDidDocument, Buffer>()

/** As bytes, since Express would add a charset to a string, which the media types do not define. */
function serialize(state: ContractDidDocument): Buffer {
  const body = serialized.get(state) ?? Buffer.from(JSON.stringify(createDidDocument(state)))
  serialized.set(state, body)
  return body
}
