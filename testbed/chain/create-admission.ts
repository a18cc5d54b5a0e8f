import type { SimulatedNetwork } from './create-simulated-network.ts'
import { createTransactionPool, type PoolTransaction } from './create-transaction-pool.ts'
import { RpcError, refusalOf, rpcCodes } from './rpc-error.ts'

/** The limit of production nodes (128 KiB), in hex digits with the prefix. */
const largestRawTransaction = 2 * 128 * 1024 + 2

/** Adds transactions to the memory pool of the node, and to the gateway's own copy of it. */
export function createAdmission({ request }: SimulatedNetwork) {
  const pool = createTransactionPool(async (address) =>
    Number(await request('eth_getTransactionCount', [address, 'latest'])),
  )
  const dropFromNode = (hash: string) => request('hardhat_dropTransaction', [hash])

  return {
    pool,
    /**
     * Returns the hash of the transaction.
     * @throws RpcError why it was rejected
     */
    async admit(raw: string): Promise<string> {
      if (!/^0x([0-9a-f]{2})+$/i.test(raw) || raw.length > largestRawTransaction) {
        throw new RpcError(
          rpcCodes.invalidParams,
          'A raw transaction must be 0x followed by hex digits, at most 128 KiB.',
        )
      }
      pool.refuseReplacement(raw)
      const hash = await request<string>('eth_sendRawTransaction', [raw]).catch((refused) => {
        throw refusalOf(refused)
      })
      const transaction = await request<PoolTransaction>('eth_getTransactionByHash', [hash])
      try {
        await pool.admit(transaction)
      } catch (refused) {
        await dropFromNode(hash)
        throw refused
      }
      return hash
    },
    /** Removes admitted transactions that could not be kept. */
    async drop(hashes: readonly string[]): Promise<void> {
      for (const hash of hashes) await dropFromNode(hash)
      pool.remove(hashes)
    },
    /** Reads what is pending in the node, after a start or a restored snapshot. */
    async readPending(): Promise<void> {
      pool.clear()
      for (const left of await request<PoolTransaction[]>('eth_pendingTransactions')) pool.add(left)
    },
  }
}
