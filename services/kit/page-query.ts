import { z } from 'zod'
import type { Reply } from '#kit/define-route.ts'

const largestPage = 100
/** Up to here JSON and JavaScript tell each integer from the next. */
const largestNumber = Number.MAX_SAFE_INTEGER

const zPageNumber = z
  .string()
  .refine((text) => /^-?[0-9]+$/.test(text), 'must be an integer')
  .transform((text: string) => Number(text))
  .refine((value) => value >= 1, 'must be at least 1')
  .meta({ type: 'integer', minimum: 1 })

/**
 * The query of a list that is served page by page (Document 2, Limits).
 *
 * @assumption A-13 at most 100 a page
 * @row 2.limits.1..2
 */
export const pageQuery = {
  page: zPageNumber
    .refine((value) => value <= largestNumber, `must be at most ${largestNumber}`)
    .default(1)
    .describe('Number of the page, from 1')
    .meta({ example: 1, maximum: largestNumber }),
  pageSize: zPageNumber
    .refine((value) => value <= largestPage, `must be at most ${largestPage}`)
    .default(10)
    .describe(`Items in a page, at most ${largestPage}`)
    .meta({ example: 10, maximum: largestPage }),
}

/** A page of things as the registries answer it (Document 2, Endpoints). */
export const pageOf = <Item extends z.ZodType>(item: Item) =>
  z.object({
    page: z.int(),
    pageSize: z.int(),
    total: z.int(),
    howMany: z.int().describe('Items in this page'),
    items: z.array(item),
  })

export interface PageQuery {
  readonly page: number
  readonly pageSize: number
}

/** The items of a list that are on a page. */
export function pageOfList<Item>(list: readonly Item[], { page, pageSize }: PageQuery): Item[] {
  return list.slice((page - 1) * pageSize, page * pageSize)
}

/** The answer with a page of things, `total` being how many there are on all pages. */
export function replyPage(
  { page, pageSize }: PageQuery,
  total: number,
  items: readonly unknown[],
): Reply {
  return { status: 200, body: { page, pageSize, total, howMany: items.length, items } }
}
