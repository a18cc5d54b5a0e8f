import type { RequestListener } from 'node:http'
import type { TestbedError } from '#core/errors/testbed-error.ts'
import { consoleFailed } from '#testbed/errors.ts'
import type { Gate } from '#testbed/process/process-state.ts'
import type { ConsoleOptions } from './create-console.ts'

/** The console and the control interface, whose code is not needed for the start of a testbed. */
interface LazyConsole {
  /** Answers a request as soon as the code is loaded. */
  readonly handle: RequestListener
  /**
   * Loads the code once the caller has done what it does next. Resolves with the error if it cannot
   * be loaded, otherwise never.
   */
  loadSoon(): Promise<TestbedError>
  close(): Promise<void>
}

async function load(gate: Gate, options: ConsoleOptions) {
  const { createConsole } = await import('./create-console.ts')
  const { snapshotsPath } = await import('#testbed/control/routes/snapshots.ts')
  const { app, close } = createConsole(options)
  return { close, handle: gate.guard(app, ({ url }) => !!url?.startsWith(snapshotsPath)) }
}

/**
 * Creates a console that loads its code, about a tenth of all modules, with its first request or
 * when the testbed has started.
 */
export function createLazyConsole(gate: Gate, options: ConsoleOptions): LazyConsole {
  let loading: ReturnType<typeof load> | undefined
  let soon: NodeJS.Immediate | undefined
  const open = () => {
    clearImmediate(soon)
    loading ??= load(gate, options)
    return loading
  }
  return {
    handle(request, response) {
      open().then(
        ({ handle }) => handle(request, response),
        () => response.destroy(),
      )
    },
    loadSoon: () =>
      new Promise((resolve) => {
        soon = setImmediate(() => {
          open().catch((cause) => resolve(consoleFailed(cause)))
        })
      }),
    async close() {
      clearImmediate(soon)
      const opened = await loading?.catch(() => undefined)
      await opened?.close()
    },
  }
}
