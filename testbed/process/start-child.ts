import { type ChildProcess, fork } from 'node:child_process'
import { existsSync } from 'node:fs'
import { extname } from 'node:path'
import { TestbedError } from '#core/errors/testbed-error.ts'
import type { ChildReport } from './child-messages.ts'

export interface ChildOptions {
  /**
   * The module that calls `serveParent`, without its extension, which differs in the npm package.
   */
  readonly module: string
  /** Plain data that its start gets. */
  readonly argument: unknown
  /** Code and subject of the error that reports its end: `The chain node's process`. */
  readonly failureCode: string
  readonly name: string
  readonly hints: readonly string[]
  /** Receives the child's unsolicited messages. */
  readonly onMessage?: (payload: unknown) => void
}

/** A process that was started for one purpose, and is controlled by commands. */
export interface Child<Command, Ready> {
  readonly ready: Ready
  readonly pid: number
  /** @throws TestbedError what the command threw, or that the process has ended */
  send(command: Command): Promise<unknown>
  /** Resolves when it has ended: undefined if it was requested, else the cause. */
  readonly ended: Promise<TestbedError | undefined>
  /** Closes it with its command `close`, then ends it. Can be called twice. */
  close(): Promise<void>
}

const closeLimit = 3000

const extension = extname(import.meta.filename)
/** Makes loading faster; not in a container. The compiled modules are one folder deeper. */
const preload = new URL(
  `${extension === '.ts' ? '' : '../'}../../scripts/bootstrap/resolve-quickly.mjs`,
  import.meta.url,
)
const execArgv = existsSync(preload) ? ['--import', preload.href] : []

const running = new Set<ChildProcess>()

/** A child that hangs does not notice that its channel has closed, and would keep its ports. */
const killRunning = () => {
  for (const child of running) child.kill('SIGKILL')
}

function forkModule(module: string): ChildProcess {
  const child = fork(`${module}${extension}`, {
    execArgv,
    // Ctrl-C reaches the whole process group of the terminal, and would end it while its modules
    // are loading.
    detached: true,
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  })
  // First: what follows releases the folder that they write to.
  if (running.size === 0) process.prependListener('exit', killRunning)
  running.add(child)
  const forget = () => {
    running.delete(child)
    if (running.size === 0) process.off('exit', killRunning)
  }
  child.once('exit', forget)
  // A process that was not started reports no exit; other errors leave it running.
  child.on('error', () => child.pid === undefined && forget())
  return child
}

/** Processes that wait for their argument, by their module. */
const prepared = new Map<string, Set<ChildProcess>>()

/**
 * Starts the process of a module before its argument is known, so that it loads while this one does.
 * The next {@link startChild} of the module uses it. It does not keep this process running.
 * @returns ends it if nothing has used it
 */
export function prepareChild(module: string): () => void {
  const child = forkModule(module)
  child.unref()
  child.channel?.unref()
  const waiting = prepared.get(module) ?? new Set()
  prepared.set(module, waiting.add(child))
  return () => {
    if (waiting.delete(child)) child.kill('SIGKILL')
  }
}

function takePrepared(module: string): ChildProcess | undefined {
  const [child] = prepared.get(module) ?? []
  if (!child) return undefined
  prepared.get(module)?.delete(child)
  // Without an id it was not started; with an exit code or a signal it has ended.
  if (child.pid === undefined || (child.exitCode ?? child.signalCode) !== null) return undefined
  child.ref()
  child.channel?.ref()
  return child
}

/**
 * Starts a process that ends with this one, however this one ends. Resolves when it is ready.
 * @throws TestbedError the error of its start
 */
export async function startChild<Command, Ready>(
  options: ChildOptions,
): Promise<Child<Command | { readonly command: 'close' }, Ready>> {
  const { module, argument, failureCode, name, hints, onMessage } = options
  const failed = (problem: string, cause?: unknown) =>
    new TestbedError({
      code: failureCode,
      status: 500,
      message: `${name} ${problem}.`,
      hints,
      cause,
    })
  const child = takePrepared(module) ?? forkModule(module)
  const waiting = new Map<number, PromiseWithResolvers<unknown>>()
  const start = Promise.withResolvers<unknown>()
  // It may be rejected before anything waits for it.
  start.promise.catch(() => {})
  let asked = false
  let commands = 0

  child.on('message', (report: ChildReport) => {
    if ('payload' in report) return onMessage?.(report.payload)
    if ('ready' in report) return start.resolve(report.ready)
    if (!('id' in report)) return start.reject(new TestbedError(report.failed))
    const call = waiting.get(report.id)
    waiting.delete(report.id)
    if ('failed' in report) call?.reject(new TestbedError(report.failed))
    else call?.resolve(report.result)
  })
  child.on('error', (cause) => {
    start.reject(failed(`did not start (${cause.message})`, cause))
  })
  const ended = new Promise<TestbedError | undefined>((settle) => {
    child.once('exit', (code, signal) => {
      const gone = failed(`ended unexpectedly (${signal ?? `exit code ${code}`})`)
      start.reject(gone)
      for (const call of waiting.values()) call.reject(gone)
      settle(asked ? undefined : gone)
    })
  })

  const send = (command: Command | { readonly command: 'close' }): Promise<unknown> => {
    const id = ++commands
    const call = Promise.withResolvers<unknown>()
    waiting.set(id, call)
    child.send({ ...command, id }, (problem) => {
      if (problem) call.reject(failed(`cannot be reached (${problem.message})`))
    })
    return call.promise
  }

  // Without a channel, because no file can be opened, the event `error` follows.
  if (child.channel) {
    child.send({ argument }, (problem) => {
      if (problem) start.reject(failed(`cannot be reached (${problem.message})`, problem))
    })
  }
  const ready = (await start.promise) as Ready
  let closing: Promise<void> | undefined
  return {
    ready,
    pid: child.pid ?? 0,
    send,
    ended,
    close() {
      asked = true
      closing ??= (async () => {
        const limit = setTimeout(() => child.kill('SIGKILL'), closeLimit)
        await send({ command: 'close' }).catch(() => {})
        if (child.connected) child.disconnect()
        await ended
        clearTimeout(limit)
      })()
      return closing
    },
  }
}
