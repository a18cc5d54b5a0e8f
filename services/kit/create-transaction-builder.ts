import { toQuantity } from '#core/ethereum/quantity.ts'
import type { UnsignedTransaction } from '#core/ethereum/z-unsigned-transaction.ts'
import { type ChainClient, ChainRpcError } from '#kit/chain-client.ts'

export interface TransactionBuilderOptions {
  readonly chain: ChainClient
  /** Address of the contract that all transactions call. */
  readonly to: string
  /** Gas limit where the estimate reverts, as it does before an earlier transaction is mined. */
  readonly gasLimitCeiling: number
}

export interface TransactionBuilder {
  /** EIP-155 identifier of the chain. */
  chainId(): Promise<bigint>
  /** An unsigned transaction with this call data, as 0x-hex, for this signer. */
  build(request: { readonly from: string; readonly data: string }): Promise<UnsignedTransaction>
}

/**
 * Builds unsigned transactions (Document 2, Unsigned transaction). Whether the signer may do what
 * the call asks for is left to the chain.
 *
 * @assumption A-10 nonce, gas limit, prices
 * @row 2.resources-and-their-fields/unsigned-transaction.1..8
 */
export function createTransactionBuilder(options: TransactionBuilderOptions): TransactionBuilder {
  const { chain, to, gasLimitCeiling } = options
  let known: Promise<bigint> | undefined

  const chainId = () => {
    known ??= chain
      .request<string>('eth_chainId')
      .then(BigInt)
      .catch((error: unknown) => {
        known = undefined
        throw error
      })
    return known
  }

  const gasLimitOf = async (from: string, data: string): Promise<bigint> => {
    try {
      const estimate = BigInt(await chain.request<string>('eth_estimateGas', [{ from, to, data }]))
      return (estimate * 14n + 9n) / 10n
    } catch (error) {
      if (error instanceof ChainRpcError) return BigInt(gasLimitCeiling)
      throw error
    }
  }

  return {
    chainId,
    async build({ from, data }) {
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
