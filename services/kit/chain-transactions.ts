import type { TestbedError } from '#core/errors/testbed-error.ts'
import { toQuantity } from '#core/ethereum/account.ts'
import type { SignedTransaction, UnsignedTransaction } from '#core/ethereum/transaction.ts'
import { type ChainClient, ChainRpcError } from './chain-client.ts'
import { createLazy } from './lazy.ts'

export interface TransactionBuilderOptions {
  readonly chain: ChainClient
  /** Address of the contract that all transactions call. */
  readonly to: string
  /** Gas limit if the estimate reverts, as it does before an earlier transaction is mined. */
  readonly gasLimitCeiling: number
  /** Creates the error for a request that does not fit into a block or transaction. */
  readonly refuse: (message: string) => TestbedError
}

export interface TransactionBuilder {
  /** EIP-155 identifier of the chain. */
  chainId(): Promise<bigint>
  /**
   * Builds an unsigned transaction with this call data, as 0x-hex, for this signer.
   * @throws the error that `refuse` creates
   */
  build(request: { readonly from: string; readonly data: string }): Promise<UnsignedTransaction>
}

/** The size limit of nodes for one transaction, less the space for fields other than its data. */
const largestData = 128 * 1024 - 256

/** How nodes report that a call needs more gas than a block has. */
const outOfGasWords =
  /out of gas|gas required exceeds|exceed\w* (the )?(transaction and )?block gas|gas limit exceeded|intrinsic gas|requires at least \d+ gas/i

const isOutOfGas = ({ message, revertData = '0x' }: ChainRpcError) =>
  revertData === '0x' && outOfGasWords.test(message)

/**
 * Builds unsigned transactions (profile/transactions, Unsigned transaction). The chain decides
 * whether the signer may make the call. What it builds fits into a transaction and a block.
 *
 * @assumption A-10 nonce, gas limit, prices
 * @assumption A-49 what is rejected
 * @row 2.resources-and-their-fields/unsigned-transaction.1..8
 */
export function createTransactionBuilder(options: TransactionBuilderOptions): TransactionBuilder {
  const { chain, to, gasLimitCeiling, refuse } = options
  const { read: chainId } = createLazy(async () =>
    BigInt(await chain.request<string>('eth_chainId')),
  )
  const { read: blockGasLimit } = createLazy(async () => {
    const block = await chain.request<{ gasLimit: string }>('eth_getBlockByNumber', [
      'latest',
      false,
    ])
    return BigInt(block.gasLimit)
  })

  const gasLimitOf = async (from: string, data: string): Promise<bigint> => {
    const [estimate, limit] = await Promise.all([
      chain.request<string>('eth_estimateGas', [{ from, to, data }]).catch((error: unknown) => {
        if (error instanceof ChainRpcError) return error
        throw error
      }),
      blockGasLimit(),
    ])
    const capped = (gas: bigint) => (gas < limit ? gas : limit)
    if (typeof estimate === 'string' && BigInt(estimate) <= limit) {
      return capped((BigInt(estimate) * 14n + 9n) / 10n)
    }
    if (typeof estimate === 'string' || isOutOfGas(estimate)) {
      throw refuse(`The transaction needs more gas than a block holds (${limit}).`)
    }
    return capped(BigInt(gasLimitCeiling))
  }

  return {
    chainId,
    async build({ from, data }) {
      if (data.length / 2 - 1 > largestData) {
        throw refuse(`The transaction's data is larger than ${largestData} bytes.`)
      }
      const [id, nonce, gasLimit] = await Promise.all([
        chainId(),
        chain.getPendingNonce(from),
        gasLimitOf(from, data),
      ])
      return {
        to,
        data,
        gasLimit: toQuantity(gasLimit),
        gasPrice: '0x0',
        chainId: toQuantity(id),
        nonce: toQuantity(nonce),
        value: '0x0',
        from,
      }
    },
  }
}

/** Why a node rejected a transaction, if that is the sender's mistake. */
export type Refusal = 'nonce' | 'funds' | 'other'

export type SendResult =
  | { readonly ok: true }
  | { readonly ok: false; readonly refusal: Refusal; readonly reason: string }

/**
 * Sends a signed transaction to the node. Nodes word their rejections differently. If the message
 * is not a usual one, the state of the sender's account decides. A pending transaction counts as
 * accepted.
 * Throws if the node is unreachable.
 */
export async function sendTransaction(
  chain: ChainClient,
  raw: string,
  transaction: SignedTransaction,
): Promise<SendResult> {
  try {
    await chain.sendRawTransaction(raw)
    return { ok: true }
  } catch (error) {
    if (!(error instanceof ChainRpcError)) throw error
    if (/already known|known transaction|already imported/i.test(error.message)) return { ok: true }
    const refusal = await refusalOf(chain, error.message, transaction)
    return { ok: false, refusal, reason: error.message }
  }
}

/** How nodes report that an earlier transaction of the sender is missing: this one is not obsolete. */
const missingEarlierWords = /nonce (is )?too (high|distant|far)|nonce gap|gapped nonce|lower nonce/i

async function refusalOf(
  chain: ChainClient,
  message: string,
  { from, nonce, gasLimit, maxFeePerGas, value }: SignedTransaction,
): Promise<Refusal> {
  if (missingEarlierWords.test(message)) return 'other'
  if (/nonce|underpriced/i.test(message)) return 'nonce'
  if (/insufficient|enough funds|upfront cost/i.test(message)) return 'funds'
  const latest = [from, 'latest']
  const [mined, balance] = await Promise.all([
    chain.request<string>('eth_getTransactionCount', latest),
    chain.request<string>('eth_getBalance', latest),
  ])
  if (nonce < BigInt(mined)) return 'nonce'
  if (gasLimit * maxFeePerGas + value > BigInt(balance)) return 'funds'
  return 'other'
}
