import type { Response } from 'express'

export interface EventStream {
  /** Ends the stream. */
  readonly stopping: AbortSignal
  /** What the reader gets first. */
  readonly opening?: string
  /** Calls `notify` when there may be new events, until the returned function is called. */
  readonly subscribe: (notify: () => void) => () => void
  /**
   * Reads the events since the last call, oldest first. It is only continued when the reader has
   * received what was sent before, so that nothing unread fills the memory.
   */
  readonly read: () => Iterable<string> | AsyncIterable<string>
}

/** Sends server-sent events until the reader leaves or the stream is to stop. */
export async function sendEvents(
  response: Response,
  { stopping, opening = '', subscribe, read }: EventStream,
): Promise<void> {
  let hasNews = true
  let wake = () => {}
  const unsubscribe = subscribe(() => {
    hasNews = true
    wake()
  })
  const isOver = () => response.closed || stopping.aborted
  const until = async (isReached: () => boolean) => {
    while (!isReached() && !isOver()) await new Promise<void>((resolve) => (wake = resolve))
  }
  const wakeUp = () => wake()
  response.on('drain', wakeUp).on('close', wakeUp)
  stopping.addEventListener('abort', wakeUp)
  try {
    // A reader that has the headers misses nothing.
    response.writeHead(200, { 'content-type': 'text/event-stream', 'cache-control': 'no-store' })
    response.flushHeaders()
    // The headers are the whole response.
    if (response.req.method === 'HEAD') return
    response.write(opening)
    while (!isOver()) {
      hasNews = false
      for await (const event of read()) {
        if (isOver()) break
        response.write(event)
        await until(() => !response.writableNeedDrain)
      }
      await until(() => hasNews)
    }
  } finally {
    unsubscribe()
    response.off('drain', wakeUp).off('close', wakeUp)
    stopping.removeEventListener('abort', wakeUp)
    response.end()
  }
}
