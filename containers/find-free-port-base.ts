import { createServer } from 'node:net'
import { listPorts } from '#testbed/process/ports.ts'

// Below the ports that common systems use for outgoing connections.
const [lowest, highest, distance] = [20_000, 32_000, 100] as const

function isFree(port: number): Promise<boolean> {
  return new Promise((settle) => {
    const server = createServer()
    server.once('error', () => settle(false))
    server.listen(port, '0.0.0.0', () => server.close(() => settle(true)))
  })
}

/**
 * Returns a port base for which all ports of a testbed are free on this machine. The search begins at
 * a random base, so that parallel tests seldom collide.
 * @throws Error if there is no such base
 */
export async function findFreePortBase(
  environments: readonly ('pre' | 'pro')[],
  random: () => number = Math.random,
): Promise<number> {
  const count = (highest - lowest) / distance
  const first = Math.floor(random() * count)
  for (let step = 0; step < count; step += 1) {
    const base = lowest + ((first + step) % count) * distance
    const free = await Promise.all(listPorts(base, environments).map(({ port }) => isFree(port)))
    if (free.every(Boolean)) return base
  }
  throw new Error(`No free range of ports for a testbed between ${lowest} and ${highest}.`)
}
