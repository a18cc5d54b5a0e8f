import { type ChildProcess, fork } from 'node:child_process'
import { extname, resolve } from 'node:path'
import { TestbedError } from '#core/errors/testbed-error.ts'
import type { ChainCommand, ChainFailure, ChainReport } from './chain-process-messages.ts'
import type { ChainNodeConfig } from './create-chain-node.ts'
import type { MinedBlock, MiningMode } from './create-ledger.ts'

/** A chain node in a child process. */
export interface ChainProcess {
  readonly rpcUrl: string
  readonly port: number
  readonly pid: number
  /** Bytes of a torn last entry that were cut off the journal: nobody was told of it. */
  readonly cutBytes: number
  mine(): Promise<MinedBlock>
  setMining(mode: MiningMode): Promise<void>
  /** Milliseconds by which the chain's clock differs from the machine's from now on. */
  setClockOffset(milliseconds: number): Promise<void>
  /** Remembers the chain, what is pending and the mining mode under a name. */
  save(name: string): Promise<void>
  /**
   * Back to what a name stands for; what was saved after it is gone.
   * @throws TestbedError `unknown_snapshot`
   */
  restore(name: string): Promise<void>
  forget(name: string): Promise<void>
  /** Settles when the process has ended; true where nobody asked it to. */
  readonly ended: Promise<boolean>
  /** Ends the process once what it accepted is on disk. May be called twice. */
  close(): Promise<void>
}

// Without Omit distributing over the union, each command would lose its own members.
type Unnumbered<T> = T extends unknown ? Omit<T, 'id'> : never

const closeLimit = 3000

function errorOf({ code, message, hints, extra }: ChainFailure): TestbedError {
  return new TestbedError({ code, status: 500, message, hints, extra })
}

function forkChainProcess(config: ChainNodeConfig): ChildProcess {
  // `.js` in the npm package.
  const program = `process/main${extname(import.meta.filename)}`
  return fork(resolve(import.meta.dirname, program), [JSON.stringify(config)], {
    execArgv: [],
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  })
}

/**
 * Starts the chain node in a process that ends with this one, however this one ends. Settles when
 * it serves.
 * @throws TestbedError `port_taken`, what is wrong with the journal, or `chain_failed`
 */
export async function startChainProcess(config: ChainNodeConfig): Promise<ChainProcess> {
  const child = forkChainProcess(config)
  const waiting = new Map<number, PromiseWithResolvers<unknown>>()
  const start = Promise.withResolvers<{ readonly port: number; readonly cutBytes: number }>()
  let asked = false
  let commands = 0

  child.on('message', (report: ChainReport) => {
    if ('serving' in report) return start.resolve(report.serving)
    if (!('id' in report)) return start.reject(errorOf(report.failed))
    const call = waiting.get(report.id)
    waiting.delete(report.id)
    if ('failed' in report) call?.reject(errorOf(report.failed))
    else call?.resolve(report.result)
  })
  const ended = new Promise<boolean>((settle) => {
    child.once('exit', (code, signal) => {
      const gone = new TestbedError({
        code: 'chain_failed',
        status: 500,
        message: `The chain node's process has ended (${signal ?? `exit code ${code}`}).`,
        hints: ['Start the testbed again; the chain goes on from its journal.'],
      })
      start.reject(gone)
      for (const call of waiting.values()) call.reject(gone)
      settle(!asked)
    })
  })

  const send = (command: Unnumbered<ChainCommand>): Promise<unknown> => {
    const id = ++commands
    const call = Promise.withResolvers<unknown>()
    waiting.set(id, call)
    child.send({ ...command, id }, (problem) => {
      if (problem)
        call.reject(
          errorOf({ code: 'chain_failed', message: String(problem.message), hints: [], extra: {} }),
        )
    })
    return call.promise
  }

  const { port, cutBytes } = await start.promise
  const host = { '0.0.0.0': '127.0.0.1', '::': '[::1]' }[config.host] ?? config.host
  let closing: Promise<void> | undefined
  return {
    rpcUrl: `http://${host}:${port}`,
    port,
    pid: child.pid ?? 0,
    cutBytes,
    mine: async () => (await send({ command: 'mine' })) as MinedBlock,
    setMining: async (mode) => {
      await send({ command: 'setMining', mode })
    },
    setClockOffset: async (milliseconds) => {
      await send({ command: 'setClockOffset', milliseconds })
    },
    save: async (name) => {
      await send({ command: 'save', name })
    },
    restore: async (name) => {
      await send({ command: 'restore', name })
    },
    forget: async (name) => {
      await send({ command: 'forget', name })
    },
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
