import type { SignedTransaction } from '#core/ethereum/parse-signed-transaction.ts'
import { type ChainClient, ChainRpcError } from '#kit/chain-client.ts'

/** Why a node did not take a transaction, where that is its sender's doing. */
export type Refusal = 'nonce' | 'funds' | 'other'

export type SendResult =
  | { readonly ok: true }
  | { readonly ok: false; readonly refusal: Refusal; readonly reason: string }

/**
 * Hands a signed transaction to the node. Nodes word their refusals differently, so that behind the
 * usual words the state of the sender's account decides. One that waits already counts as taken.
 * Throws where the node cannot be reached.
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

async function refusalOf(
  chain: ChainClient,
  message: string,
  { from, nonce, gasLimit, maxFeePerGas, value }: SignedTransaction,
): Promise<Refusal> {
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
