import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { Response } from 'express'

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
