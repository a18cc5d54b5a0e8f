import { createServer, type IncomingHttpHeaders } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { onTestFinished } from 'vitest'

/** What was asked of the server. */
export interface Asked {
  readonly method: string
  readonly path: string
  readonly headers: IncomingHttpHeaders
  readonly body: string
}

/** What it answers; `hang` is nothing at all. */
export type Answer =
  | {
      readonly status: number
      readonly headers?: Readonly<Record<string, string>>
      readonly body?: unknown
    }
  | 'hang'

/** A server that answers as it is told and goes away with the running test. */
export async function startAnsweringServer(answer: (asked: Asked) => Answer) {
  const requests: Asked[] = []
  const server = createServer(async (request, response) => {
    const { method = '', url: path = '', headers } = request
    const asked = { method, path, headers, body: await text(request) }
    requests.push(asked)
    const told = answer(asked)
    if (told === 'hang') return
    const { status, body = '' } = told
    response.writeHead(status, told.headers)
    response.end(typeof body === 'string' ? body : JSON.stringify(body))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    server.close()
    server.closeAllConnections()
  })
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, requests }
}
