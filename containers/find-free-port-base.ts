import { createServer } from 'node:net'
import { listPorts } from '#testbed/process/ports.ts'

// Below the ports that the usual systems hand out for outgoing connections.
const [lowest, highest, distance] = [20_000, 32_000, 100] as const

function isFree(port: number): Promise<boolean> {
  return new Promise((settle) => {
    const server = createServer()
    server.once('error', () => settle(false))
    server.listen(port, '0.0.0.0', () => server.close(() => settle(true)))
  })
}

/**
 * A port base of which this machine has every port free that a testbed takes. Begins somewhere, so
 * that several tests at once seldom meet.
 * @throws Error where no such base is left
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
  throw new Error(`There is no room for a testbed between the ports ${lowest} and ${highest}.`)
}
