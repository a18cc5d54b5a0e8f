import type { Request, Response } from 'express'

/** Begins a stream of server-sent events; its reader knows that it is open before any event. */
export function openEventStream(response: Response): void {
  response.writeHead(200, { 'content-type': 'text/event-stream', 'cache-control': 'no-store' })
  response.flushHeaders()
}

/** Resolves when the reader leaves or the server stops. */
export function untilClosed(request: Request, stopping: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    request.once('close', resolve)
    stopping.addEventListener('abort', () => resolve(), { once: true })
  })
}
