import { createApp } from '#kit/create-app.ts'
import type { Service } from '#kit/runtime.ts'
import { noTraces } from '#kit/traces.ts'
import type { TestbedFile } from '#scenarios/harness/z-testbed-file.ts'
import { createControlAuthentications } from '#testbed/control/authentication.ts'
import { controlRoutes } from '#testbed/control/routes.ts'
import type { RunningEnvironment } from '#testbed/services/start-environment.ts'
import { controlsRoutes } from './controls/routes.ts'
import type { ConsoleDependencies } from './dependencies.ts'
import { createExchangeLog } from './exchanges/exchange-log.ts'
import { exchangesRoutes } from './exchanges/routes.ts'
import { explainRoutes } from './explain/routes.ts'
import { showUnknownPage } from './frame/define-page.ts'
import { documentationPath, findDocumentation, serveDocumentation } from './frame/documentation.ts'
import { noticeRoutes } from './frame/notice.ts'
import { serveAssets } from './frame/static-files.ts'
import { homeRoutes, openConsole } from './home/routes.ts'
import { inboxRoutes } from './inbox/routes.ts'
import { createPortal } from './portal/portal.ts'
import { portalRoutes } from './portal/routes.ts'
import { qrCodesRoutes } from './qr-codes/routes.ts'
import { createOwnDids } from './registries/own-dids.ts'
import { registriesRoutes } from './registries/routes.ts'
import { relyingPartyRoutes } from './relying-party/routes.ts'
import { runRoutes } from './runs/routes.ts'
import { createRuns } from './runs/runs.ts'
import { createSavedTargets } from './runs/saved-targets.ts'
import { targetRoutes } from './runs/target-routes.ts'
import { sessionRoutes } from './sessions/routes.ts'
import { createSignIns } from './sign-in/create-sign-ins.ts'
import { signInRoutes } from './sign-in/routes.ts'
import { tourRoutes } from './tour/routes.ts'
import { createTours } from './tour/tours.ts'
import { createConsoleWallets } from './wallets/console-wallets.ts'
import { walletRoutes } from './wallets/routes.ts'

export interface ConsoleOptions
  extends Pick<
    ConsoleDependencies,
    'addresses' | 'clock' | 'traces' | 'snapshots' | 'runtime' | 'sessions' | 'mail' | 'startedAt'
  > {
  readonly environments: readonly RunningEnvironment[]
  /** The control token. */
  readonly token: string
  readonly consoleUrl: string
  /** The folder with the state of the testbed; undefined if it is in memory. */
  readonly stateFolder: string | undefined
  /** The content of `testbed.json`, once everything is healthy. */
  readonly testbedFile: () => TestbedFile
}

/**
 * The console page and the control interface, on one port of this machine only: the Host and Origin
 * of every request must be in the list of its names.
 */
export function createConsole(options: ConsoleOptions): Service {
  const { environments, addresses, clock, traces, snapshots, token, sessions, consoleUrl } = options
  const stopping = new AbortController()
  const documentation = findDocumentation()
  const pages = [
    ...homeRoutes,
    ...controlsRoutes,
    ...exchangesRoutes,
    ...inboxRoutes,
    ...explainRoutes,
    ...registriesRoutes,
    ...relyingPartyRoutes,
    ...portalRoutes,
    ...runRoutes,
    ...targetRoutes,
    ...walletRoutes,
    ...signInRoutes,
    ...tourRoutes,
    ...sessionRoutes,
    ...qrCodesRoutes,
  ]
  const runs = createRuns(options)
  const targets = createSavedTargets(options.stateFolder)
  const byName = new Map(environments.map((each) => [each.environment, each]))
  const wallets = createConsoleWallets({
    environments: byName,
    runtime: options.runtime,
    traces,
    stopping: stopping.signal,
  })
  const dependencies: ConsoleDependencies = {
    environments: byName,
    addresses,
    documentationPath: documentation && `${documentationPath}/${documentation.start}`,
    runtime: options.runtime,
    exchanges: createExchangeLog(traces),
    built: new Set(pages.map(({ path }) => path)),
    ownDids: createOwnDids(),
    signIns: createSignIns(options.runtime),
    portal: createPortal(options.runtime, traces),
    runs,
    targets,
    isLoopback: /^(127\.|localhost$|\[::1\]$)/.test(new URL(consoleUrl).hostname),
    clock,
    traces,
    snapshots,
    sessions,
    mail: options.mail,
    startedAt: options.startedAt,
    stopping: stopping.signal,
    wallets,
    tours: createTours({ environments: byName, wallets, traces, stopping: stopping.signal }),
  }
  const app = createApp({
    name: 'console',
    title: 'Control interface',
    version: '1.0.0',
    description: 'Controls the testbed: clock, mining, faults, tokens, traces.',
    baseUrl: consoleUrl,
    // Requests that control the testbed are not hops of the protocols that it runs.
    runtime: { ...options.runtime, traces: noTraces },
    dependencies,
    routes: [...controlRoutes, openConsole, ...noticeRoutes, ...pages],
    authentication: createControlAuthentications(token, sessions),
    securitySchemes: { control: { type: 'http', scheme: 'bearer' } },
    after: [showUnknownPage(dependencies)],
    docsPath: '/control/docs',
    ownHostOnly: 'host and origin',
    before: [
      serveAssets(),
      ...(documentation === undefined ? [] : [serveDocumentation(documentation)]),
    ],
  })
  return {
    app,
    async close() {
      stopping.abort()
      await runs.close()
      await targets.close()
    },
  }
}
