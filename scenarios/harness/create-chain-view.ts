import { z } from 'zod'
import type { HttpClient } from './http-client.ts'

const zNumber = z.string().transform(Number)
const zAnswer = z.object({
  result: z.object({ number: zNumber, timestamp: zNumber, transactions: z.array(z.unknown()) }),
})

/** A block of a chain. */
export interface ChainBlock {
  readonly number: number
  /** Unix seconds. */
  readonly timestamp: number
  readonly transactions: readonly unknown[]
}

/** What can be seen of a chain at its node, whoever sent it. */
export interface ChainView {
  readLatest(): Promise<ChainBlock>
  /** How many transactions are in the blocks after this one. */
  countTransactions(afterBlock: number): Promise<number>
}

/** Looks at a chain by Ethereum JSON-RPC, eth_getBlockByNumber. */
export function createChainView(rpcUrl: string, http: Pick<HttpClient, 'request'>): ChainView {
  const readBlock = async (block: string): Promise<ChainBlock> => {
    const json = { jsonrpc: '2.0', id: 1, method: 'eth_getBlockByNumber', params: [block, false] }
    return zAnswer.parse((await http.request(rpcUrl, { json })).json).result
  }
  const readLatest = () => readBlock('latest')
  return {
    readLatest,
    async countTransactions(afterBlock) {
      const { number: last } = await readLatest()
      let count = 0
      for (let number = afterBlock + 1; number <= last; number++) {
        count += (await readBlock(`0x${number.toString(16)}`)).transactions.length
      }
      return count
    },
  }
}
