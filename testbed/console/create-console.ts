import { createApp } from '#kit/create-app.ts'
import type { Runtime, Service } from '#kit/runtime.ts'
import { noTraces } from '#kit/traces.ts'
import type { MovableClock } from '#testbed/clock.ts'
import { createConsoleSessions } from '#testbed/control/console-sessions.ts'
import { createControlAuthentication } from '#testbed/control/create-control-authentication.ts'
import { controlRoutes } from '#testbed/control/routes.ts'
import type { RunningEnvironment } from '#testbed/environment.ts'
import type { Address } from '#testbed/list-addresses.ts'
import type { SnapshotStore } from '#testbed/snapshots/create-snapshot-store.ts'
import type { TraceBuffer } from '#testbed/traces.ts'
import type { ConsoleDependencies } from './dependencies.ts'
import { showScript, showStyle } from './routes/assets.ts'
import { showCallback } from './routes/callback.ts'
import { readConsoleHealth } from './routes/health.ts'
import { showIdentifier } from './routes/identifier.ts'
import { openConsole } from './routes/open.ts'
import { showRegistries } from './routes/registries.ts'
import { showConsole } from './routes/show.ts'

export interface ConsoleOptions {
  readonly environments: readonly RunningEnvironment[]
  readonly addresses: readonly Address[]
  readonly clock: MovableClock
  readonly traces: TraceBuffer
  readonly snapshots: SnapshotStore
  readonly runtime: Runtime
  /** The control token. */
  readonly token: string
  readonly consoleUrl: string
}

export interface ConsoleService extends Service {
  /** An address that opens the console once. */
  createLink(): string
}

/**
 * The console page and the control interface, on one port of this machine alone: every request is
 * held against the list of its own names.
 */
export function createConsole(options: ConsoleOptions): ConsoleService {
  const { environments, addresses, clock, traces, snapshots, token, consoleUrl } = options
  const sessions = createConsoleSessions(consoleUrl)
  const stopping = new AbortController()
  const dependencies: ConsoleDependencies = {
    environments: new Map(environments.map((each) => [each.environment, each])),
    addresses,
    runtime: options.runtime,
    clock,
    traces,
    snapshots,
    sessions,
    stopping: stopping.signal,
  }
  const app = createApp({
    name: 'console',
    title: 'Control interface',
    version: '1.0.0',
    description: 'Steers the testbed: clock, mining, faults, tokens, traces.',
    baseUrl: consoleUrl,
    // What steers the testbed is no hop of the protocols that it runs.
    runtime: { ...options.runtime, traces: noTraces },
    dependencies,
    routes: [
      ...controlRoutes,
      showConsole,
      openConsole,
      readConsoleHealth,
      showRegistries,
      showIdentifier,
      showCallback,
      showStyle,
      showScript,
    ],
    authentication: { control: createControlAuthentication(token, sessions) },
    securitySchemes: { control: { type: 'http', scheme: 'bearer' } },
    docsPath: '/control/docs',
    ownHostOnly: 'host and origin',
  })
  return {
    app,
    createLink: sessions.createLink,
    async close() {
      stopping.abort()
    },
  }
}
