import { readFileSync } from 'node:fs'
import { request as forward } from 'node:http'
import { createServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { join, resolve } from 'node:path'

const folder = resolve(import.meta.dirname, '../conformance/fixtures/tls')

/** What a Node has to trust (NODE_EXTRA_CA_CERTS) to reach such a proxy. */
export const certificateFile = join(folder, 'certificate.pem')

/** Stands before a server on this machine as a tunnel would: https outside, http inside. */
export async function startTlsProxy(port: number): Promise<{ origin: string; close(): void }> {
  const key = readFileSync(join(folder, 'key.pem'))
  const cert = readFileSync(certificateFile)
  const server = createServer({ key, cert }, (request, response) => {
    const { method, url: path, headers } = request
    const options = { host: '127.0.0.1', port, method, path, headers }
    const inner = forward(options, (answer) => {
      response.writeHead(answer.statusCode ?? 502, answer.headers)
      answer.pipe(response)
    })
    inner.on('error', () => response.destroy())
    request.pipe(inner)
  })
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  return {
    origin: `https://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close() {
      server.close()
      server.closeAllConnections()
    },
  }
}
