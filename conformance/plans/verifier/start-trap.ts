import type { ExchangeLog } from '../../kit/evidence/create-exchange-log.ts'
import { type KitServer, startKitServer } from '../../world/start-kit-server.ts'
import type { Trap } from './context.ts'

export interface StartTrapOptions {
  readonly exchanges: ExchangeLog
  readonly caller: string
  /** As the kit's own server has it. */
  readonly bind?: string | undefined
  /** Where the kit's own server is: the trap is on another port of the same machine. */
  readonly beside: KitServer
}

/** Listens where nobody has a reason to come, and writes down who does. */
export async function startTrap(
  options: StartTrapOptions,
): Promise<Trap & { close(): Promise<void> }> {
  const { exchanges, caller, bind, beside } = options
  const server = await startKitServer({ exchanges, caller, ...(bind !== undefined && { bind }) })
  const visits: string[] = []
  server.mount('', 'trap', ({ method, path }) => {
    visits.push(`${method} ${path}`)
    return { status: 200, body: '{}' }
  })
  // By the name under which the kit is reached.
  const url = new URL(server.origin)
  url.hostname = new URL(beside.origin).hostname
  return { origin: url.origin, visits, close: server.close }
}
