import type { AddressInfo } from 'node:net'
import { createHostCheck } from '#kit/origins.ts'
import { createGateway } from './create-gateway.ts'
import { createLedger, type MinedBlock, type MiningMode } from './create-ledger.ts'
import { createPublicAccess } from './create-public-access.ts'
import { createRpcAnswerer } from './create-rpc-answerer.ts'
import { createSimulatedNetwork } from './create-simulated-network.ts'
import { nodeCannotListen } from './errors.ts'
import { type Journal, openJournal } from './journal.ts'

export interface ChainNodeConfig {
  readonly chainId: number
  readonly host: string
  /** 0 takes a free port. */
  readonly port: number
  /** Absent: the chain lives in memory only. */
  readonly journalPath?: string | undefined
  readonly mining: MiningMode
  /** Host names by which clients reach it, besides loopback names and IP addresses. */
  readonly allowedHosts?: readonly string[]
  /** The contracts that clients may send transactions to. */
  readonly registries?: readonly string[]
  /** Clients may send any transaction and execute any code. */
  readonly openRpc?: boolean
  /** Milliseconds by which the chain's clock differs from the machine's. */
  readonly clockOffset: number
}

/** A chain node in this process. */
export interface ChainNodeServer {
  readonly port: number
  /** Bytes of a torn last entry that were cut off the journal: nobody was told of it. */
  readonly cutBytes: number
  /** Accepts a signed transaction to anywhere, past the gateway's limits: its hash. */
  sendRawTransaction(raw: string): Promise<string>
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
  forget(name: string): void
  close(): Promise<void>
}

function listen(server: ReturnType<typeof createGateway>, host: string, port: number) {
  return new Promise<number>((resolve, reject) => {
    server.once('error', (cause: NodeJS.ErrnoException) => {
      reject(nodeCannotListen(host, port, cause))
    })
    server.listen(port, host, () => resolve((server.address() as AddressInfo).port))
  })
}

/**
 * Starts a chain behind its JSON-RPC gateway: a new one, or the one that the journal holds.
 * Nothing listens before the journal is replayed.
 * @throws TestbedError `port_taken`, or what is wrong with the journal
 */
export async function createChainNode(config: ChainNodeConfig): Promise<ChainNodeServer> {
  const { chainId, host, port, journalPath, mining, allowedHosts = [] } = config
  const { registries = [], openRpc = false } = config
  let { clockOffset } = config
  let journal: Journal | undefined
  const now = () => Math.floor((Date.now() + clockOffset) / 1000)
  const header = { version: 1, chainId, genesisTime: now() } as const
  if (journalPath !== undefined) journal = openJournal(journalPath, header)

  const { genesisTime } = journal?.header ?? header
  const network = await createSimulatedNetwork({ chainId, genesisTime })
  const ledger = await createLedger({ network, mining, now, ...(journal && { journal }) })
  const access = createPublicAccess(ledger, { registries, openRpc })
  const server = createGateway(
    createRpcAnswerer(ledger, access),
    createHostCheck([host, ...allowedHosts]),
  )
  return {
    port: await listen(server, host, port),
    cutBytes: journal?.cutBytes ?? 0,
    sendRawTransaction: ledger.sendRawTransaction,
    mine: ledger.mine,
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
