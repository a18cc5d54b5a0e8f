import { setTimeout as wait } from 'node:timers/promises'
import { parseSignedTransaction, type SignedTransaction } from '#core/ethereum/transaction.ts'
import type { ChainClient, TransactionReceipt } from '#kit/chain-client.ts'
import { sendTransaction } from '#kit/chain-transactions.ts'
import { parseRevert } from '../adapters/did-registry-contract.ts'
import type { DidRegistryDependencies } from '../dependencies.ts'
import { createReceipt, type Receipt } from '../domain/create-receipt.ts'
import { invalidSignature, refused, validationError } from '../errors.ts'

/**
 * Hands a signed transaction to the chain and waits a while for its receipt, which is null where
 * that takes longer.
 *
 * @throws TestbedError where it can't be for this registry, or the chain refuses it
 */
export async function sendSignedTransaction(
  signedRawTransaction: string,
  dependencies: DidRegistryDependencies,
): Promise<{ readonly tx_hash: string; readonly receipt: Receipt | null }> {
  const { chain, contractAddress, transactions, receiptWaitMilliseconds } = dependencies
  const chainId = await transactions.chainId()
  const transaction = requireSendable(signedRawTransaction, { chainId, contractAddress })
  refuseForeignSigner(transaction, dependencies)
  const sent = await sendTransaction(chain, signedRawTransaction, transaction)
  if (!sent.ok) throw refused(sent.refusal, sent.reason)
  const receipt = await awaitReceipt(chain, transaction.hash, receiptWaitMilliseconds)
  const wire = receipt === undefined ? null : createReceipt(receipt, revertOf(receipt))
  return { tx_hash: transaction.hash, receipt: wire }
}

/**
 * Reads a signed raw transaction and refuses one that can't be for this registry.
 *
 * @assumption A-11
 * @throws TestbedError `validation_error`, `invalid_signature`
 */
function requireSendable(
  raw: string,
  { chainId, contractAddress }: { readonly chainId: bigint; readonly contractAddress: string },
): SignedTransaction {
  const result = parseSignedTransaction(raw)
  if (!result.ok) {
    if (result.reason === 'invalid_signature') throw invalidSignature('The signature is not valid.')
    throw validationError(
      'signedRawTransaction: must be a signed transaction in hex, legacy or of type 0x01 or 0x02.',
    )
  }
  const { transaction } = result
  if (transaction.chainId !== chainId) {
    throw validationError(
      `signedRawTransaction: is for chain ${transaction.chainId ?? 'none in particular'}; this one is ${chainId}.`,
    )
  }
  if (transaction.to?.toLowerCase() !== contractAddress.toLowerCase()) {
    throw validationError(
      `signedRawTransaction: goes to ${transaction.to ?? 'no contract'}; the registry is ${contractAddress}.`,
    )
  }
  return transaction
}

function refuseForeignSigner(
  transaction: SignedTransaction,
  { builtTransactions, contractAddress, clock }: DidRegistryDependencies,
): void {
  const { from, data, nonce } = transaction
  const built = { from, to: contractAddress, data, nonce }
  if (builtTransactions.mayBeSignedBy(built, clock.seconds())) return
  throw invalidSignature(`${from} signed a transaction that was built for another signer.`)
}

function revertOf({ revertReason }: TransactionReceipt) {
  return revertReason === undefined ? undefined : parseRevert(revertReason)
}

const shortestPause = 2
const longestPause = 100

/**
 * Asks for a receipt until it is there or the time is up, with growing pauses: a node that mines at
 * once answers the first question. Undefined where it did not come in time.
 */
async function awaitReceipt(
  chain: ChainClient,
  hash: string,
  limitMilliseconds: number,
): Promise<TransactionReceipt | undefined> {
  const end = performance.now() + limitMilliseconds
  for (let pause = shortestPause; ; pause = Math.min(pause * 2, longestPause)) {
    const receipt = await chain.getTransactionReceipt(hash)
    if (receipt !== null) return receipt
    const left = end - performance.now()
    if (left <= 0) return undefined
    await wait(Math.min(pause, left))
  }
}
