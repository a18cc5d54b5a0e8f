import { generateKeyPairSync } from 'node:crypto'
import { once } from 'node:events'
import { createServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { createCertificate } from '../../../kit/signatures.ts'

/** A server on this machine whose certificate no authority has signed. */
export interface UntrustedServer extends AsyncDisposable {
  readonly origin: string
  /** The requests of clients that trust it: `GET /offer`. */
  readonly requests: readonly string[]
  /** How many clients have connected, whether they trust it or not. */
  readonly connections: () => number
}

/** Starts a server with a self-signed certificate of its address. It returns 404. */
export async function openUntrustedServer(): Promise<UntrustedServer> {
  const host = '127.0.0.1'
  const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const certificate = createCertificate(privateKey, host)
  const requests: string[] = []
  let connections = 0
  const server = createServer({
    key: privateKey.export({ type: 'pkcs8', format: 'pem' }),
    cert: `-----BEGIN CERTIFICATE-----\n${certificate}\n-----END CERTIFICATE-----\n`,
  })
  server.on('request', ({ method, url }, response) => {
    requests.push(`${method} ${url}`)
    response.writeHead(404, { connection: 'close' }).end()
  })
  server.on('connection', () => {
    connections++
  })
  server.listen(0, host)
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  return {
    origin: `https://${host}:${port}`,
    requests,
    connections: () => connections,
    async [Symbol.asyncDispose]() {
      server.close()
      server.closeAllConnections()
      await once(server, 'close')
    },
  }
}
