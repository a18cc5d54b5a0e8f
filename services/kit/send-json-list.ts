import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { Response } from 'express'

/**
 * Answers 200 with a JSON array whose items come in portions: nothing but the portion at hand is in
 * memory, however slowly the client reads. What fails before the first portion is thrown, and can
 * still be answered; what fails later cuts the answer off.
 */
export async function sendJsonList(
  response: Response,
  portions: AsyncIterable<readonly unknown[]>,
): Promise<void> {
  const iterator = portions[Symbol.asyncIterator]()
  const first = await iterator.next()
  response.status(200).type('application/json')
  await pipeline(Readable.from(writeList(first, iterator)), response).catch((error: unknown) => {
    // A client that goes away is no fault of anybody.
    if ((error as { code?: unknown }).code !== 'ERR_STREAM_PREMATURE_CLOSE') throw error
  })
}

async function* writeList(
  first: IteratorResult<readonly unknown[]>,
  rest: AsyncIterator<readonly unknown[]>,
): AsyncGenerator<string> {
  let separator = '['
  for (let portion = first; !portion.done; portion = await rest.next()) {
    yield separator + portion.value.map((item) => JSON.stringify(item)).join(',')
    separator = ','
  }
  yield separator === '[' ? '[]' : ']'
}
