import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { Response } from 'express'
import { z } from 'zod'
import type { Reply } from './define-route.ts'

const largestPage = 100
/** The largest integer that JSON and JavaScript represent exactly. */
const largestNumber = Number.MAX_SAFE_INTEGER

const zPageNumber = z
  .string()
  .refine((text) => /^-?[0-9]+$/.test(text), 'must be an integer')
  .transform((text: string) => Number(text))
  .refine((value) => value >= 1, 'must be at least 1')
  .meta({ type: 'integer', minimum: 1 })

/**
 * The query of a paginated list (profile/did-registry, Read).
 *
 * @assumption A-13 at most 100 per page
 * @row 2.limits.1..2
 */
export const pageQuery = {
  page: zPageNumber
    .refine((value) => value <= largestNumber, `must be at most ${largestNumber}`)
    .default(1)
    .describe('Page number, starting at 1')
    .meta({ example: 1, maximum: largestNumber }),
  pageSize: zPageNumber
    .refine((value) => value <= largestPage, `must be at most ${largestPage}`)
    .default(10)
    .describe(`Items per page, at most ${largestPage}`)
    .meta({ example: 10, maximum: largestPage }),
}

/** A page in the registries' response format (profile/did-registry, Write). */
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

/** The items of a list on the given page. */
export function pageOfList<Item>(list: readonly Item[], { page, pageSize }: PageQuery): Item[] {
  return list.slice((page - 1) * pageSize, page * pageSize)
}

/** The items of a list on the given page, with the last item first. */
export function pageOfReversedList<Item>(
  list: readonly Item[],
  { page, pageSize }: PageQuery,
): Item[] {
  const end = Math.max(list.length - (page - 1) * pageSize, 0)
  return list.slice(Math.max(end - pageSize, 0), end).reverse()
}

/** Returns a page as response; `total` counts the items of all pages. */
export function replyPage(
  { page, pageSize }: PageQuery,
  total: number,
  items: readonly unknown[],
): Reply {
  return { status: 200, body: { page, pageSize, total, howMany: items.length, items } }
}

export interface JsonListFrame {
  readonly contentType?: string
  /** Text before and after the items: just `[` and `]`, or the members around the list. */
  readonly opening?: string
  readonly closing?: string
}

/**
 * Responds 200 with a JSON array whose items come in portions. Only one portion is in memory,
 * however slowly the client reads. An error before the first portion is thrown and can still be
 * answered; a later one aborts the response. Caches do not store the list.
 */
export async function sendJsonList(
  response: Response,
  portions: AsyncIterable<readonly unknown[]>,
  { contentType = 'application/json', opening = '[', closing = ']' }: JsonListFrame = {},
): Promise<void> {
  const iterator = portions[Symbol.asyncIterator]()
  const first = await iterator.next()
  response.status(200).type(contentType).set('cache-control', 'no-store')
  await pipeline(Readable.from(writeList(first, iterator, opening, closing)), response).catch(
    (error: unknown) => {
      // A client may disconnect at any time.
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
