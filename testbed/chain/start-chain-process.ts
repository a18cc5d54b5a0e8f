import { resolve } from 'node:path'
import type { TestbedError } from '#core/errors/testbed-error.ts'
import { createLocalUrl } from '#testbed/process/listen.ts'
import { type Child, type ChildOptions, startChild } from '#testbed/process/start-child.ts'
import type { ChainNodeConfig, ChainNodeProgress, ChainNodeServer } from './create-chain-node.ts'
import type { MiningMode } from './create-ledger.ts'
import type { MinedBlock } from './create-miner.ts'

/** Messages from the testbed to its chain process over the IPC channel. */
export type ChainCommand =
  | { readonly command: 'mine' | 'readMining' }
  | { readonly command: 'send'; readonly raws: readonly string[] }
  | { readonly command: 'setMining'; readonly mode: MiningMode }
  | { readonly command: 'setClockOffset'; readonly milliseconds: number }
  | { readonly command: 'save' | 'restore' | 'forget'; readonly name: string }
  | { readonly command: 'close' }

/** Its first message: its port is open, although it answers later. */
export interface ChainListening {
  readonly port: number
}

/** Its messages while it replays the journal: journal entries. */
export interface ReplayProgress {
  readonly done: number
  readonly total: number
}

/** Its message once it answers. */
export interface ChainReady {
  readonly cutBytes: number
}

/** A chain node in a child process. */
export interface ChainProcess
  extends Omit<ChainNodeServer, 'answer' | 'mining' | 'forget' | 'close'> {
  readonly rpcUrl: string
  readonly pid: number
  /** The current mode, also after a restored snapshot. */
  readMining(): Promise<MiningMode>
  forget(name: string): Promise<void>
  /** Resolves when the process has ended: undefined if it was requested, else the cause. */
  readonly ended: Promise<TestbedError | undefined>
  /** Ends the process once the accepted transactions are on disk. Can be called twice. */
  close(): Promise<void>
}

/** How the end of a chain's process is reported. */
export const chainProcessOf = ({ chainId }: ChainNodeConfig) =>
  ({
    failureCode: 'chain_failed',
    name: `The process of chain ${chainId}`,
    hints: ['Restart the testbed. The chain continues from its journal.'],
  }) satisfies Partial<ChildOptions>

/**
 * Starts the chain node in a process that ends with this one, however this one ends. Resolves when
 * it answers, after the replay of its journal.
 * @throws TestbedError `port_taken`, an error of the journal, or `chain_failed`
 */
export async function startChainProcess(
  config: ChainNodeConfig,
  { onListening, onReplay }: ChainNodeProgress = {},
): Promise<ChainProcess> {
  let port = 0
  const child = await startChild<ChainCommand, ChainReady>({
    ...chainProcessOf(config),
    module: resolve(import.meta.dirname, 'process/main'),
    argument: config,
    onMessage(payload) {
      const message = payload as ChainListening | ReplayProgress
      if ('done' in message) return onReplay?.(message)
      port = message.port
      onListening?.(port)
    },
  })
  return controlChain(config, port, child)
}

/** The chain node of a process that answers the commands of a chain. */
export function controlChain(
  config: ChainNodeConfig,
  port: number,
  { ready, pid, send, ended, close }: Child<ChainCommand, ChainReady>,
): ChainProcess {
  const sendCommand = async (command: ChainCommand): Promise<void> => {
    await send(command)
  }
  return {
    rpcUrl: createLocalUrl(config.host)(port),
    port,
    pid,
    cutBytes: ready.cutBytes,
    sendRawTransactions: async (raws) =>
      (await send({ command: 'send', raws })) as readonly string[],
    mine: async () => (await send({ command: 'mine' })) as MinedBlock,
    readMining: async () => (await send({ command: 'readMining' })) as MiningMode,
    setMining: (mode) => sendCommand({ command: 'setMining', mode }),
    setClockOffset: (milliseconds) => sendCommand({ command: 'setClockOffset', milliseconds }),
    save: (name) => sendCommand({ command: 'save', name }),
    restore: (name) => sendCommand({ command: 'restore', name }),
    forget: (name) => sendCommand({ command: 'forget', name }),
    ended,
    close,
  }
}
