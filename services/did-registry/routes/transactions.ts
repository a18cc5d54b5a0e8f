import { z } from 'zod'
import { defineRoute } from '#kit/define-route.ts'
import type { Dependencies } from '../dependencies.ts'
import { zReceipt } from '../domain/create-receipt.ts'
import { exampleReverted, exampleSent, exampleSignedTransactions } from '../domain/examples.ts'
import { bodyErrors, errorCodes, refuseInput } from '../errors.ts'
import { sendSignedTransaction } from '../operations/send-transaction.ts'

const zAnswer = z.object({ tx_hash: z.string(), receipt: zReceipt.nullable() })

/**
 * Sends a signed transaction: 200 with the receipt once it is mined, applied or reverted; 206 if
 * that takes longer (profile/transactions, Send through the DID registry and States).
 *
 * @assumption A-11 what is rejected
 * @assumption A-12 how long it waits for the receipt
 * @row 2.endpoints/did-registry.14 2.endpoints/did-registry.32..33 2.states-and-transitions.8..10 2.limits.6
 */
export const sendTransaction = defineRoute<Dependencies>()({
  method: 'post',
  path: '/api/v1/transactions/send',
  summary: 'Send a signed transaction',
  description:
    'After a 206, wait about 5 seconds and read the DID: if it shows the change, the transaction was mined.',
  tags: ['Sending'],
  auth: 'none',
  request: {
    body: z.object({
      signedRawTransaction: z
        .string()
        .describe('The signed transaction as 0x-hex, of type 0x01, 0x02 or legacy'),
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
    const body = await sendSignedTransaction(signedRawTransaction, dependencies)
    return { status: body.receipt === null ? 206 : 200, body }
  },
})
