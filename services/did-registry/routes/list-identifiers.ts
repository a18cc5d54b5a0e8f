import { z } from 'zod'
import { defineRoute } from '#kit/define-route.ts'
import { pageOf, pageQuery, replyPage } from '#kit/lists.ts'
import type { DidRegistryDependencies } from '../dependencies.ts'
import { exampleKey } from '../domain/examples.ts'
import { commonErrors, refuseInput } from '../errors.ts'

/**
 * The registered DIDs, page by page (Document 2, Endpoints).
 *
 * @row 2.endpoints/did-registry.1
 */
export const listIdentifiers = defineRoute<DidRegistryDependencies>()({
  method: 'get',
  path: '/api/v1/identifiers',
  summary: 'List the registered DIDs',
  tags: ['Reading'],
  auth: 'none',
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
