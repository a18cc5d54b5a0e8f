import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

/** A port that was free a moment ago, for what has to be told its port beforehand. */
export async function freePort(): Promise<number> {
  const server = createServer()
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  const { port } = server.address() as AddressInfo
  await new Promise((done) => server.close(done))
  return port
}
