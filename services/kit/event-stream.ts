import type { Response } from 'express'

/** Begins a stream of server-sent events; its reader knows that it is open before any event. */
export function openEventStream(response: Response): void {
  response.writeHead(200, { 'content-type': 'text/event-stream', 'cache-control': 'no-store' })
  response.flushHeaders()
}

/** Bytes that a reader may leave unread; further events would only fill the memory. */
const mostUnread = 1024 * 1024

/** Sends an event to a reader who has read enough of those before; otherwise ends the stream. */
export function writeEvent(response: Response, event: string): void {
  if (response.writableLength > mostUnread) response.destroy()
  else response.write(event)
}

/**
 * Resolves when the reader leaves or the stream is to stop; for HEAD immediately, because the
 * headers are the whole response.
 */
export function untilClosed(response: Response, stopping: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (response.req.method === 'HEAD' || response.closed || stopping.aborted) return resolve()
    const close = () => {
      response.off('close', close)
      stopping.removeEventListener('abort', close)
      resolve()
    }
    response.once('close', close)
    stopping.addEventListener('abort', close)
  })
}
