import { Transaction, type TransactionLike, type TransactionRequest, type Wallet } from 'ethers'

/** The unsigned transaction as the registries print it. */
export interface UnsignedTransactionJson {
  readonly to: string
  readonly data: string
  readonly gasLimit: string
  readonly gasPrice: string
  readonly chainId: string
  readonly nonce: string
  readonly value: string
  readonly from: string
}

/** Signs with ethers, as transaction of the given type (0 legacy, 1, 2); members may be replaced. */
export async function signUnsignedTransaction(
  wallet: Wallet,
  unsigned: UnsignedTransactionJson,
  type: 0 | 1 | 2 = 0,
  changes: TransactionLike = {},
): Promise<Transaction> {
  const { from: _from, gasPrice, nonce, ...rest } = unsigned
  const price =
    type === 2 ? { maxFeePerGas: gasPrice, maxPriorityFeePerGas: gasPrice } : { gasPrice }
  const raw = await wallet.signTransaction({
    ...rest,
    ...price,
    type,
    nonce: Number(nonce),
    ...changes,
  } as TransactionRequest)
  return Transaction.from(raw)
}
