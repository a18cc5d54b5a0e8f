import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import { onTestFinished } from 'vitest'

export interface Proxy {
  readonly port: number
  /** Keeps connections open and lets no byte through, like a network that has lost the other side. */
  hold(): void
  /** Forwards again, on connections made from now on; those that were held are gone. */
  release(): void
}

/** A TCP proxy to a port of this machine; it ends with the running test. */
export async function startProxy(target: number): Promise<Proxy> {
  const sockets = new Set<Socket>()
  let isHeld = false
  const server = createServer((near) => {
    const far = connect(target, '127.0.0.1')
    for (const [from, to] of [
      [near, far],
      [far, near],
    ] as const) {
      sockets.add(from)
      from.on('data', (bytes) => {
        if (!isHeld) to.write(bytes)
      })
      from.on('error', () => {})
      from.on('close', () => {
        sockets.delete(from)
        to.destroy()
      })
    }
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const endAll = () => {
    for (const socket of sockets) socket.destroy()
  }
  onTestFinished(() => {
    server.close()
    endAll()
  })
  return {
    port: (server.address() as AddressInfo).port,
    hold() {
      isHeld = true
    },
    release() {
      isHeld = false
      endAll()
    },
  }
}
