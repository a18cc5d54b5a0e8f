import type { Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { createHostCheck } from '#kit/origins.ts'
import { createGateway } from './create-gateway.ts'
import { createLedger, type Ledger, type LedgerOptions, type MiningMode } from './create-ledger.ts'
import { createPublicAccess } from './create-public-access.ts'
import { createRpcAnswerer } from './create-rpc-answerer.ts'
import { createSimulatedNetwork } from './create-simulated-network.ts'
import { nodeCannotListen } from './errors.ts'
import { type Journal, openJournal } from './journal.ts'

export interface ChainNodeConfig {
  readonly chainId: number
  readonly host: string
  /** 0 chooses a free port. */
  readonly port: number
  /** Absent: the chain is only in memory. */
  readonly journalPath?: string | undefined
  readonly mining: MiningMode
  /** Host names of this node, in addition to loopback names and IP addresses. */
  readonly allowedHosts?: readonly string[]
  /** The contracts that clients may send transactions to. */
  readonly registries?: readonly string[]
  /** Clients may send any transaction and execute any code. */
  readonly openRpc?: boolean
  /** Difference between the chain's clock and the machine's, in milliseconds. */
  readonly clockOffset: number
}

/** A chain node in this process. */
export interface ChainNodeServer
  extends Pick<Ledger, 'mine' | 'mining' | 'setMining' | 'save' | 'restore' | 'forget'> {
  readonly port: number
  /** Answers a JSON-RPC message as its port does; undefined if there is no answer. */
  answer(message: unknown): Promise<string | undefined>
  /**
   * Bytes of a torn last entry that were cut off the journal. Its transaction was never confirmed
   * to a client.
   */
  readonly cutBytes: number
  /**
   * Accepts signed transactions to any address, past the gateway's limits. They share a block if
   * they fit into one. Returns their hashes.
   */
  sendRawTransactions(raws: readonly string[]): Promise<readonly string[]>
  /** Sets the difference between the chain's clock and the machine's, in milliseconds. */
  setClockOffset(milliseconds: number): Promise<void>
  close(): Promise<void>
}

function listen(server: Server, host: string, port: number) {
  return new Promise<number>((resolve, reject) => {
    server.once('error', (cause: NodeJS.ErrnoException) => {
      reject(nodeCannotListen(host, port, cause))
    })
    server.listen(port, host, () => resolve((server.address() as AddressInfo).port))
  })
}

/** Follows the start of a chain node. */
export interface ChainNodeProgress {
  /** Called when the port is open and the journal is intact, before the replay. */
  readonly onListening?: (port: number) => void
  readonly onReplay?: LedgerOptions['onReplay']
}

/**
 * Starts a chain behind its JSON-RPC gateway: a new chain, or the chain in the journal. Resolves
 * once the journal is replayed.
 * @throws TestbedError `port_taken`, or an error of the journal
 */
export async function createChainNode(
  config: ChainNodeConfig,
  { onListening, onReplay }: ChainNodeProgress = {},
): Promise<ChainNodeServer> {
  const { chainId, host, port, journalPath, mining, allowedHosts = [] } = config
  const { registries = [], openRpc = false } = config
  let { clockOffset } = config
  let journal: Journal | undefined
  const now = () => Math.floor((Date.now() + clockOffset) / 1000)
  const { server, serve } = createGateway(createHostCheck([host, ...allowedHosts]))
  const openPort = await listen(server, host, port)
  let ledger: Ledger
  try {
    const header = { version: 1, chainId, genesisTime: now() } as const
    if (journalPath !== undefined) journal = openJournal(journalPath, header)
    onListening?.(openPort)
    const { genesisTime } = journal?.header ?? header
    const network = await createSimulatedNetwork({ chainId, genesisTime })
    ledger = await createLedger({
      network,
      mining,
      now,
      ...(journal && { journal }),
      ...(onReplay && { onReplay }),
    })
  } catch (error) {
    server.close()
    throw error
  }
  const access = createPublicAccess(ledger, { registries, openRpc })
  const answer = createRpcAnswerer(ledger, access)
  serve(answer)
  return {
    port: openPort,
    answer,
    cutBytes: journal?.cutBytes ?? 0,
    sendRawTransactions: (raws) => Promise.all(raws.map(ledger.sendRawTransaction)),
    mine: ledger.mine,
    get mining() {
      return ledger.mining
    },
    setMining: ledger.setMining,
    async setClockOffset(milliseconds) {
      clockOffset = milliseconds
      await ledger.followClock()
    },
    save: ledger.save,
    restore: ledger.restore,
    forget: ledger.forget,
    async close() {
      const closed = new Promise((resolve) => server.close(resolve))
      server.closeIdleConnections()
      setTimeout(() => server.closeAllConnections(), 1000).unref()
      await ledger.close()
      server.closeIdleConnections()
      await closed
    },
  }
}
