import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { answerAsRegistries } from '#conformance/world/answer-as-registries.ts'
import type { TrustWorld } from '#conformance/world/create-trust-world.ts'

export interface TrustServers {
  readonly baseUrl: string
  /** Paths that were asked for, in order. */
  readonly requests: string[]
  /** Replaces an answer, whose own body is the second argument; undefined leaves it. */
  intercept: (
    path: string,
    body: string,
  ) => { status: number; body: string; location?: string } | undefined
  stop(): Promise<void>
}

/**
 * A trust world over HTTP on one port: the DID registry, the TIR below its path, and the status
 * lists, in the wire forms of document 2 and without any code of the services.
 */
export async function startTrustServers(world: TrustWorld): Promise<TrustServers> {
  const server = createServer((request, response) => {
    const path = request.url ?? '/'
    servers.requests.push(path)
    const { status, body } = answerAsRegistries(world, new URL(path, 'http://127.0.0.1'))
    const replaced = servers.intercept(path, body)
    if (replaced) {
      const headers = replaced.location === undefined ? {} : { location: replaced.location }
      response.writeHead(replaced.status, headers).end(replaced.body)
      return
    }
    response.writeHead(status, { 'content-type': 'application/json' }).end(body)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const servers: TrustServers = {
    baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests: [],
    intercept: () => undefined,
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
  return servers
}
