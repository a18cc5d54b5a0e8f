import type { Response } from 'express'

/** Begins a stream of server-sent events; its reader knows that it is open before any event. */
export function openEventStream(response: Response): void {
  response.writeHead(200, { 'content-type': 'text/event-stream', 'cache-control': 'no-store' })
  response.flushHeaders()
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
