import { setTimeout as wait } from 'node:timers/promises'
import { parseSignedTransaction, type SignedTransaction } from '#core/ethereum/transaction.ts'
import type { ChainClient, TransactionReceipt } from '#kit/chain-client.ts'
import { sendTransaction } from '#kit/chain-transactions.ts'
import { parseRevert } from '../adapters/did-registry-contract.ts'
import type { Dependencies } from '../dependencies.ts'
import { createReceipt, type Receipt } from '../domain/create-receipt.ts'
import { invalidSignature, refused, validationError } from '../errors.ts'

/**
 * Sends a signed transaction to the chain and waits a while for its receipt, which is null if that
 * takes longer.
 *
 * @throws TestbedError if the transaction is not for this registry, or the chain rejects it
 */
export async function sendSignedTransaction(
  signedRawTransaction: string,
  dependencies: Dependencies,
): Promise<{ readonly tx_hash: string; readonly receipt: Receipt | null }> {
  const { chain, contractAddress, transactions, receiptWaitMilliseconds } = dependencies
  const chainId = await transactions.chainId()
  const transaction = requireSendable(signedRawTransaction, { chainId, contractAddress })
  refuseForeignSigner(transaction, dependencies)
  // Asked together with the sending: a node that mines immediately already has the receipt.
  const [sent, early] = await Promise.all([
    sendTransaction(chain, signedRawTransaction, transaction),
    chain.getTransactionReceipt(transaction.hash),
  ])
  if (!sent.ok) throw refused(sent.refusal, sent.reason)
  const receipt = early ?? (await awaitReceipt(chain, transaction.hash, receiptWaitMilliseconds))
  const wire = receipt === undefined ? null : createReceipt(receipt, revertOf(receipt))
  return { tx_hash: transaction.hash, receipt: wire }
}

/**
 * Parses a signed raw transaction and rejects it if it is not for this registry.
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
    if (result.reason === 'invalid_signature') throw invalidSignature(noSigner)
    throw validationError(
      'signedRawTransaction: must be a signed transaction in 0x-hex, legacy or of type 0x01 or 0x02, without trailing bytes.',
    )
  }
  const { transaction } = result
  if (transaction.chainId !== chainId) {
    const actual =
      transaction.chainId === undefined ? 'every chain' : `chain ${transaction.chainId}`
    throw validationError(
      `signedRawTransaction: is for ${actual} instead of chain ${chainId}. Sign it with this chainId (EIP-155).`,
    )
  }
  if (transaction.to.toLowerCase() !== contractAddress.toLowerCase()) {
    const purpose =
      transaction.to === '0x' ? 'creates a contract' : `is for contract ${transaction.to}`
    throw validationError(
      `signedRawTransaction: ${purpose} instead of calling the registry ${contractAddress}.`,
    )
  }
  return transaction
}

const noSigner =
  'The signature is not valid: it must match a key, with s in the lower half (EIP-2).'

function refuseForeignSigner(
  transaction: SignedTransaction,
  { builtTransactions, contractAddress, clock }: Dependencies,
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
 * Polls for a receipt until it exists or the time is up, with growing pauses. Undefined if it does
 * not exist in time.
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
