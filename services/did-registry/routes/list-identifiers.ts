import { z } from 'zod'
import { defineRoute } from '#kit/define-route.ts'
import type { DidRegistryDependencies } from '../dependencies.ts'
import { exampleKey } from '../domain/examples.ts'
import { errorCodes, refuseInput } from '../errors.ts'

const largestPage = 100

const integerOf = (text: string) => Number(text)
const zPageNumber = z
  .string()
  .regex(/^[0-9]{1,15}$/, 'must be an integer')
  .transform(integerOf)
  .refine((value) => value >= 1, 'must be at least 1')

/**
 * The registered DIDs, page by page.
 *
 * @assumption A-13 at most 100 a page
 */
export const listIdentifiers = defineRoute<DidRegistryDependencies>()({
  method: 'get',
  path: '/api/v1/identifiers',
  summary: 'List the registered DIDs',
  tags: ['Reading'],
  auth: 'none',
  request: {
    query: z.object({
      page: zPageNumber.default(1).describe('Number of the page, from 1'),
      pageSize: zPageNumber
        .refine((value) => value <= largestPage, `must be at most ${largestPage}`)
        .default(10)
        .describe(`Items in a page, at most ${largestPage}`),
    }),
  },
  responses: {
    200: {
      description: 'A page of DIDs',
      body: z.object({
        page: z.int(),
        pageSize: z.int(),
        total: z.int(),
        howMany: z.int().describe('Items in this page'),
        items: z.array(z.string()),
      }),
      example: { page: 1, pageSize: 10, total: 1, howMany: 1, items: [exampleKey.did] },
    },
  },
  errors: [errorCodes.validation],
  invalidInput: refuseInput,
  async handle({ query: { page, pageSize } }, { contract }) {
    const offset = (BigInt(page) - 1n) * BigInt(pageSize)
    const { total, items } = await contract.identifiers(offset, pageSize)
    return { status: 200, body: { page, pageSize, total, howMany: items.length, items } }
  },
})
