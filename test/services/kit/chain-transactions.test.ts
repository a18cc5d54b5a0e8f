import { describe, expect, it } from 'vitest'
import type { SignedTransaction } from '#core/ethereum/transaction.ts'
import { type ChainClient, ChainRpcError } from '#kit/chain-client.ts'
import { sendTransaction } from '#kit/chain-transactions.ts'

const transaction = {
  from: '0x7E5F4552091A69125d5DfCb7b8C2659029395Bdf',
  nonce: 5n,
  gasLimit: 100n,
  maxFeePerGas: 2n,
  value: 1n,
} as SignedTransaction

/** A node that rejects with this message; the sender's account is as given. */
function refusingNode(message: string, account: { nonce?: string; balance?: string } = {}) {
  const node: Pick<ChainClient, 'sendRawTransaction' | 'request'> = {
    sendRawTransaction: async () => {
      throw new ChainRpcError(-32000, message, undefined)
    },
    request: async <Result>(method: string) =>
      (method === 'eth_getBalance'
        ? (account.balance ?? '0xffff')
        : (account.nonce ?? '0x5')) as Result,
  }
  return node as ChainClient
}

const refusalOf = async (message: string, account = {}) => {
  const result = await sendTransaction(refusingNode(message, account), '0x', transaction)
  return result.ok ? 'taken' : result.refusal
}

describe('sendTransaction', () => {
  it.each([
    // Besu, Geth and Hardhat in this order.
    ['Nonce too low', 'nonce'],
    ['nonce too low: next nonce 6, tx nonce 5', 'nonce'],
    ['Nonce too low. Expected nonce to be 6 but got 5.', 'nonce'],
    ['replacement transaction underpriced', 'nonce'],
    ['Upfront cost exceeds account balance', 'funds'],
    ['insufficient funds for gas * price + value', 'funds'],
    ["Sender doesn't have enough funds to send tx.", 'funds'],
    ['intrinsic gas too low', 'other'],
    // Besu, Geth, Hardhat and the testbed's own node: a nonce ahead of the account is not obsolete.
    ['Transaction nonce is too distant from current sender nonce', 'other'],
    ['nonce too high: tx nonce 7, state nonce 5', 'other'],
    ['Nonce too high. Expected nonce to be 5 but got 7.', 'other'],
    [
      'Too many transactions wait for one with a lower nonce. Send that with nonce 5 first.',
      'other',
    ],
    ['already known', 'taken'],
    ['Known transaction', 'taken'],
  ])('classifies %o as %s', async (message, expected) => {
    expect(await refusalOf(message)).toBe(expected)
  })

  it('checks the account if it does not know the message', async () => {
    expect(await refusalOf('rejected', { nonce: '0x6' })).toBe('nonce')
    expect(await refusalOf('rejected', { balance: '0xc8' })).toBe('funds')
    expect(await refusalOf('rejected', { balance: '0xc9' })).toBe('other')
  })
})
