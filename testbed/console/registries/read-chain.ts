import { decodeCall, decodeRevert, type NamedCall } from '#core/contracts/decode-abi.ts'
import { isTestbedError } from '#core/errors/testbed-error.ts'
import { type ChainClient, createChainClient, type TransactionReceipt } from '#kit/chain-client.ts'
import type { ChainEvent } from '#kit/event-index.ts'
import type { Runtime } from '#kit/runtime.ts'
import { noTraces } from '#kit/traces.ts'
import { decodeRegistryEvent } from '#services/did-registry/domain/create-receipt.ts'
import { decodeTirEvent } from '#services/tir/domain/issuers.ts'
import type { RunningEnvironment } from '#testbed/services/start-environment.ts'

interface NodeTransaction {
  readonly hash: string
  readonly from: string
  readonly to: string | null
  readonly input: string
  readonly blockNumber: string | null
}

interface NodeBlock {
  readonly number: string
  readonly timestamp: string
  readonly transactions: readonly NodeTransaction[]
}

/** A transaction of the chain with everything decoded that belongs to the registries. */
export interface DecodedTransaction {
  readonly hash: string
  readonly from: string
  readonly to: string | null
  /** The registry that it calls. */
  readonly contract: 'did-registry' | 'tir' | undefined
  readonly call: NamedCall | undefined
  readonly blockNumber: number
  /** Unix seconds. */
  readonly blockTime: number
  readonly isApplied: boolean
  /** Decimal. */
  readonly gasUsed: string
  readonly events: readonly ChainEvent[]
  /** The error of the contract, if it reverted. */
  readonly revert: { readonly name: string; readonly args?: unknown } | undefined
}

export interface DecodedBlock {
  readonly number: number
  /** Unix seconds. */
  readonly time: number
  readonly transactions: readonly DecodedTransaction[]
}

export interface ChainReader {
  /** The blocks up to `last`, newest first; undefined if the chain does not answer. */
  blocks(
    last: number | undefined,
  ): Promise<{ readonly latest: number; readonly blocks: readonly DecodedBlock[] } | undefined>
  /** Undefined if the chain does not have it, or does not answer. */
  transaction(hash: string): Promise<DecodedTransaction | undefined>
}

const blocksPerPage = 20

/** Reads the chain of an environment; this is not recorded as an exchange. */
export function createChainReader(runtime: Runtime, { context }: RunningEnvironment): ChainReader {
  const { rpcUrl, didRegistryAddress, tirAddress } = context.chain
  const client = createChainClient({ ...runtime, traces: noTraces }, { caller: 'console', rpcUrl })
  const contracts = [
    [didRegistryAddress, 'did-registry', decodeRegistryEvent],
    [tirAddress, 'tir', decodeTirEvent],
  ] as const
  const contractAt = (address: string | null) =>
    contracts.find(([known]) => known.toLowerCase() === address?.toLowerCase())

  const decode = (
    { hash, from, to, input }: NodeTransaction,
    blockTime: number,
    receipt: TransactionReceipt,
  ): DecodedTransaction => {
    const blockNumber = Number(receipt.blockNumber)
    const contract = contractAt(to)?.[1]
    return {
      hash,
      from,
      to,
      contract,
      call: contract && decodeCall(input),
      blockNumber,
      blockTime,
      isApplied: receipt.status === '0x1',
      gasUsed: BigInt(receipt.gasUsed).toString(),
      events: receipt.logs.flatMap((log): ChainEvent[] => {
        const event = contractAt(log.address)?.[2](log)
        if (event === undefined) return []
        const { name, args } = event
        const logIndex = Number(log.logIndex)
        return [{ event: name, args, blockNumber, blockTime, transactionHash: hash, logIndex }]
      }),
      revert:
        receipt.revertReason === undefined
          ? undefined
          : (decodeRevert(receipt.revertReason) ?? { name: receipt.revertReason }),
    }
  }

  const blockAt = async (number: number): Promise<DecodedBlock | undefined> => {
    const block = await readBlock(client, number)
    if (block === null) return undefined
    const time = Number(block.timestamp)
    const decoded = block.transactions.map(async (transaction) => {
      const receipt = await client.getTransactionReceipt(transaction.hash)
      return receipt === null ? [] : [decode(transaction, time, receipt)]
    })
    return { number, time, transactions: (await Promise.all(decoded)).flat() }
  }

  return {
    blocks: (last) =>
      unlessDown(async () => {
        const latest = Number(await client.request<string>('eth_blockNumber'))
        const first = Math.min(last ?? latest, latest)
        const numbers = Array.from(
          { length: Math.min(blocksPerPage, first + 1) },
          (_, i) => first - i,
        )
        const blocks = await Promise.all(numbers.map(blockAt))
        return { latest, blocks: blocks.filter((block) => block !== undefined) }
      }),
    transaction: (hash) =>
      unlessDown(async () => {
        const found = await client.request<NodeTransaction | null>('eth_getTransactionByHash', [
          hash,
        ])
        const receipt = await client.getTransactionReceipt(hash)
        if (found === null || receipt === null) return undefined
        const block = await readBlock(client, Number(receipt.blockNumber))
        return decode(found, Number(block?.timestamp ?? 0), receipt)
      }),
  }
}

function readBlock(client: ChainClient, number: number): Promise<NodeBlock | null> {
  return client.request('eth_getBlockByNumber', [`0x${number.toString(16)}`, true])
}

async function unlessDown<T>(read: () => Promise<T>): Promise<T | undefined> {
  try {
    return await read()
  } catch (error) {
    if (isTestbedError(error) && error.code === 'chain_unavailable') return undefined
    throw error
  }
}
