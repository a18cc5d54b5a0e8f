import { type Refusal, sendTransaction } from '#kit/chain-transactions.ts'
import { verifySignedTransaction } from '../domain/verify-signed-transaction.ts'
import { zSendSignedTransaction } from '../domain/z-params.ts'
import { rpcError } from '../errors.ts'
import { parseParams, type RpcMethod } from './rpc-method.ts'

/**
 * Sends a signed transaction and answers its hash as soon as the node has taken it; whether it was
 * applied is in its receipt (Document 2, TIR, Methods). What fails a validation is not sent.
 *
 * @row 2.endpoints/tir.12..13 2.endpoints/tir.16
 */
export const sendSignedTransaction: RpcMethod = async (params, dependencies) => {
  const { chain, contractAddress, transactions } = dependencies
  const input = parseParams(zSendSignedTransaction, params)
  const network = { chainId: await transactions.chainId(), contractAddress }
  const verdict = verifySignedTransaction(input, network)
  if (!verdict.ok) {
    const reasons = verdict.failures.map(({ reason }) => reason)
    throw rpcError('invalid_params', reasons.join(' '))
  }
  const { transaction } = verdict
  const sent = await sendTransaction(chain, input.signedRawTransaction, transaction)
  if (!sent.ok) throw rpcError('invalid_params', messageOf(sent.refusal, sent.reason))
  return transaction.hash
}

function messageOf(refusal: Refusal, reason: string): string {
  return {
    nonce: 'The nonce is obsolete: build the transaction again.',
    funds: 'The signer has no funds for the gas of this transaction.',
    other: `The chain refused the transaction: ${reason.slice(0, 300)}`,
  }[refusal]
}
