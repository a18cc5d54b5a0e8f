import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { onTestFinished } from 'vitest'

export interface TrapServer {
  readonly url: string
  readonly host: string
  /** Whatever came in, as `METHOD path`; connections that asked nothing count too. */
  readonly visits: readonly string[]
}

/** Listens where nobody is to come to: an address that only an attacker names. */
export async function startTrapServer(): Promise<TrapServer> {
  const visits: string[] = []
  const server = createServer((request, response) => {
    visits.push(`${request.method} ${request.url}`)
    response.writeHead(200, { 'content-type': 'application/json' }).end('{}')
  })
  server.on('connection', () => visits.push('connection'))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  const host = `127.0.0.1:${(server.address() as AddressInfo).port}`
  return { url: `http://${host}`, host, visits }
}
