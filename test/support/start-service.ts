import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Service } from '#kit/runtime.ts'

export interface RunningService<S extends Service = Service> {
  readonly baseUrl: string
  readonly service: S
  stop(): Promise<void>
}

/**
 * Listens on a free port, then makes the service for that address: a service knows its public
 * address from its configuration, never from a request.
 */
export async function startService<S extends Service>(
  create: (baseUrl: string) => Promise<S>,
): Promise<RunningService<S>> {
  let handler: RequestListener = (_request, response) => response.writeHead(503).end()
  const server = createServer((request, response) => handler(request, response))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const service = await create(baseUrl)
  handler = service.app
  return {
    baseUrl,
    service,
    async stop() {
      await new Promise((resolve) => {
        server.close(resolve)
        server.closeAllConnections()
      })
      await service.close()
    },
  }
}
