import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { Response } from 'express'
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
 * The query of a list that is served page by page (profile/did-registry, Read).
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

/** A page of things as the registries answer it (profile/did-registry, Write). */
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

export interface JsonListFrame {
  readonly contentType?: string
  /** What comes before and after the items: `[` and `]` alone, or the members around the list. */
  readonly opening?: string
  readonly closing?: string
}

/**
 * Answers 200 with a JSON array whose items come in portions: nothing but the portion at hand is in
 * memory, however slowly the client reads. What fails before the first portion is thrown, and can
 * still be answered; what fails later cuts the answer off.
 */
export async function sendJsonList(
  response: Response,
  portions: AsyncIterable<readonly unknown[]>,
  { contentType = 'application/json', opening = '[', closing = ']' }: JsonListFrame = {},
): Promise<void> {
  const iterator = portions[Symbol.asyncIterator]()
  const first = await iterator.next()
  response.status(200).type(contentType)
  await pipeline(Readable.from(writeList(first, iterator, opening, closing)), response).catch(
    (error: unknown) => {
      // A client that goes away is no fault of anybody.
      if ((error as { code?: unknown }).code !== 'ERR_STREAM_PREMATURE_CLOSE') throw error
    },
  )
}

async function* writeList(
  first: IteratorResult<readonly unknown[]>,
  rest: AsyncIterator<readonly unknown[]>,
  opening: string,
  closing: string,
): AsyncGenerator<string> {
  yield opening
  let separator = ''
  for (let portion = first; !portion.done; portion = await rest.next()) {
    yield separator + portion.value.map((item) => JSON.stringify(item)).join(',')
    separator = ','
  }
  yield closing
}
