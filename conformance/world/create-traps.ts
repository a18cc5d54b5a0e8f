import type { ExchangeLog } from '../kit/evidence/exchange-log.ts'
import { type KitServer, startKitServer } from './start-kit-server.ts'

/** An address that no conformant system requests. */
export interface Trap {
  readonly origin: string
  /** The requests to it, as `GET /path`. */
  readonly visits: readonly string[]
}

export interface TrapOptions {
  readonly caller: string
  /** The bind address of the kit's server. */
  readonly bind?: string | undefined
  /** The kit's server. A trap is on another port of the same machine. */
  readonly beside: KitServer
}

/** Starts traps, and stops all of them after a check. */
export interface Traps {
  start(exchanges: ExchangeLog): Promise<Trap>
  close(): Promise<void>
}

/** Listens at addresses that no conformant system requests, and records the requests. */
export function createTraps({ caller, bind, beside }: TrapOptions): Traps {
  const running: KitServer[] = []
  return {
    async start(exchanges) {
      const server = await startKitServer({
        exchanges,
        caller,
        ...(bind !== undefined && { bind }),
      })
      running.push(server)
      const visits: string[] = []
      server.mount('', 'trap', ({ method, path }) => {
        visits.push(`${method} ${path}`)
        return { status: 200, body: '{}' }
      })
      // Uses the host name of the kit.
      const url = new URL(server.origin)
      url.hostname = new URL(beside.origin).hostname
      return { origin: url.origin, visits }
    },
    async close() {
      await Promise.all(running.splice(0).map((server) => server.close()))
    },
  }
}
