import { z } from 'zod'
import { TestbedError } from '#core/errors/testbed-error.ts'
import type { SignedTransaction } from '#core/ethereum/transaction.ts'
import type { TransactionReceipt } from '#kit/chain-client.ts'
import { sendTransaction as hand, type Refusal } from '#kit/chain-transactions.ts'
import { defineRoute } from '#kit/define-route.ts'
import { awaitReceipt } from '../adapters/await-receipt.ts'
import { parseRevert } from '../adapters/did-registry-contract.ts'
import type { DidRegistryDependencies } from '../dependencies.ts'
import { createReceipt, zReceipt } from '../domain/create-receipt.ts'
import { exampleReverted, exampleSent, exampleSignedTransactions } from '../domain/examples.ts'
import { invalidSignature, requireSendable } from '../domain/require-sendable.ts'
import { bodyErrors, errorCodes, refuseInput } from '../errors.ts'

const zAnswer = z.object({ tx_hash: z.string(), receipt: zReceipt.nullable() })

/**
 * Sends a signed transaction: 200 with the receipt once it is mined, applied or reverted; 206 where
 * that takes longer (Document 2, Endpoints and States).
 *
 * @assumption A-11 what is refused
 * @assumption A-12 how long the receipt is waited for
 * @row 2.endpoints/did-registry.14 2.endpoints/did-registry.32..33 2.states-and-transitions.8..10 2.limits.6
 */
export const sendTransaction = defineRoute<DidRegistryDependencies>()({
  method: 'post',
  path: '/api/v1/transactions/send',
  summary: 'Send a signed transaction',
  description:
    'After a 206 wait about 5 seconds and read the DID: if the change shows, it was mined.',
  tags: ['Sending'],
  auth: 'none',
  request: {
    body: z.object({
      signedRawTransaction: z
        .string()
        .describe('Hex of the signed transaction, with 0x: of type 0x01 or 0x02, or legacy'),
    }),
    examples: exampleSignedTransactions,
  },
  responses: {
    200: {
      description: 'Mined; status 1 is applied, 0 is reverted',
      body: zAnswer,
      examples: { applied: exampleSent, reverted: exampleReverted },
    },
    206: {
      description: 'Sent; the receipt is null, tx_hash is valid',
      body: zAnswer,
      example: { tx_hash: exampleSent.tx_hash, receipt: null },
    },
  },
  errors: [...bodyErrors, errorCodes.signature, errorCodes.nonce, errorCodes.funds],
  invalidInput: refuseInput,
  async handle({ body: { signedRawTransaction } }, dependencies) {
    const { chain, contractAddress, transactions, receiptWaitMilliseconds } = dependencies
    const chainId = await transactions.chainId()
    const transaction = requireSendable(signedRawTransaction, { chainId, contractAddress })
    refuseForeignSigner(transaction, dependencies)
    const sent = await hand(chain, signedRawTransaction, transaction)
    if (!sent.ok) throw refused(sent.refusal, sent.reason)
    const receipt = await awaitReceipt(chain, transaction.hash, receiptWaitMilliseconds)
    const wire = receipt === undefined ? null : createReceipt(receipt, revertOf(receipt))
    return {
      status: wire === null ? 206 : 200,
      body: { tx_hash: transaction.hash, receipt: wire },
    }
  },
})

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

function refused(refusal: Refusal, reason: string): TestbedError {
  const [code, message] = {
    nonce: [errorCodes.nonce, 'The nonce is obsolete: build the transaction again.'],
    funds: [errorCodes.funds, 'The signer has no funds for the gas of this transaction.'],
    other: [errorCodes.validation, `The chain refused the transaction: ${reason.slice(0, 300)}`],
  }[refusal] as [string, string]
  return new TestbedError({ code, status: 400, message, detail: reason })
}
