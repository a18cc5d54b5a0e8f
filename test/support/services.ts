import { createServer, type RequestListener } from 'node:http'
import { afterAll, onTestFinished } from 'vitest'
import { createLog, type Log } from '#kit/log.ts'
import { createRuntime, type FaultName, type Runtime, type Service } from '#kit/runtime.ts'
import { closeServer, listenOn } from './servers.ts'

/** Runs the end function with the running test, or with the file if it was started for all its tests. */
export function onFinished(end: () => unknown): void {
  try {
    onTestFinished(async () => void (await end()))
  } catch {
    afterAll(async () => void (await end()))
  }
}

export interface RunningService<S extends Service = Service> {
  readonly baseUrl: string
  readonly service: S
  stop(): Promise<void>
}

/**
 * Listens on a free port, then creates the service for that URL: a service has its public URL from
 * its configuration, never from a request.
 */
export async function startService<S extends Service>(
  create: (baseUrl: string) => Promise<S>,
): Promise<RunningService<S>> {
  let handler: RequestListener = (_request, response) => response.writeHead(503).end()
  const server = createServer((request, response) => handler(request, response))
  const baseUrl = await listenOn(server)
  const service = await create(baseUrl)
  handler = service.app
  return {
    baseUrl,
    service,
    async stop() {
      await closeServer(server)
      await service.close()
    },
  }
}

export interface TestRuntime extends Runtime {
  /** Moves this runtime's clock. */
  advance(seconds: number): void
  readonly activeFaults: Set<FaultName>
}

/**
 * A runtime with faults to switch and a clock to move.
 *
 * @param options.log receives the log; by default it is discarded
 * @param options.now Unix milliseconds, before they are moved
 */
export function createTestRuntime(options: { log?: Log; now?: () => number } = {}): TestRuntime {
  const { log = createLog({ level: 'silent' }), now = Date.now } = options
  let offset = 0
  const activeFaults = new Set<FaultName>()
  const milliseconds = () => now() + offset * 1000
  return {
    ...createRuntime({
      log,
      clock: { milliseconds, seconds: () => Math.floor(milliseconds() / 1000) },
      faults: { isActive: (name) => activeFaults.has(name) },
    }),
    activeFaults,
    advance(seconds) {
      offset += seconds
    },
  }
}

/** Creates a runtime whose clock changes only if a test moves it, so the machine's speed has no effect. */
export function createStandingRuntime(): TestRuntime {
  const began = Date.now()
  return createTestRuntime({ now: () => began })
}
