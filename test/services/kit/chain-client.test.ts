import { describe, expect, it } from 'vitest'
import type { SignedTransaction } from '#core/ethereum/transaction.ts'
import { type ChainClient, ChainRpcError, createChainClient } from '#kit/chain-client.ts'
import { sendTransaction } from '#kit/chain-transactions.ts'
import { withRequestContext } from '#kit/request-context.ts'
import { startAnsweringServer } from '#test/support/servers.ts'
import { createTestRuntime } from '#test/support/services.ts'

interface Message {
  readonly id: number
  readonly method: string
  readonly params: readonly unknown[]
}

const answerOf = ({ id, method, params }: Message) =>
  method === 'refused'
    ? { jsonrpc: '2.0', id, error: { code: -32000, message: 'refused' } }
    : { jsonrpc: '2.0', id, result: [method, ...params] }

async function startNode(
  answer: (message: Message | readonly Message[]) => unknown,
  statusOf: () => number = () => 200,
) {
  const messages: (Message | readonly Message[])[] = []
  const node = await startAnsweringServer(({ body }) => {
    const message = JSON.parse(String(body))
    messages.push(message)
    return { status: statusOf(), body: JSON.stringify(answer(message)) }
  })
  const chain = createChainClient(createTestRuntime(), { caller: 'test', rpcUrl: node.url })
  return { chain, messages }
}

const call = (chain: ReturnType<typeof createChainClient>, method: string) =>
  chain.request(method, [1]).catch(({ message }) => message)

it('sends the calls that a request makes together as one batch, in their order', async () => {
  // JSON-RPC 2.0, section 6: the answers may be in any order.
  const { chain, messages } = await startNode((message) =>
    Array.isArray(message) ? message.map(answerOf).reverse() : answerOf(message as Message),
  )
  const answers = await Promise.all(['one', 'refused', 'two'].map((name) => call(chain, name)))
  expect(answers).toEqual([['one', 1], 'refused', ['two', 1]])
  expect(messages).toHaveLength(1)
  expect(messages[0]).toMatchObject([{ method: 'one' }, { method: 'refused' }, { method: 'two' }])
})

it('does not mix the calls of two requests', async () => {
  const { chain, messages } = await startNode((message) => answerOf(message as Message))
  const ask = (requestId: string) => withRequestContext({ requestId }, () => call(chain, requestId))
  expect(await Promise.all([ask('one'), ask('two')])).toEqual([
    ['one', 1],
    ['two', 1],
  ])
  expect(messages).toMatchObject([{ method: 'one' }, { method: 'two' }])
})

it('sends calls one by one to a node that does not take batches', async () => {
  const { chain, messages } = await startNode((message) =>
    Array.isArray(message)
      ? { jsonrpc: '2.0', id: null, error: { code: -32600, message: 'no batches' } }
      : answerOf(message as Message),
  )
  for (let round = 1; round <= 2; round++) {
    const answers = await Promise.all(['one', 'two'].map((name) => call(chain, name)))
    expect(answers).toEqual([
      ['one', 1],
      ['two', 1],
    ])
  }
  expect(messages.filter(Array.isArray)).toHaveLength(1)
  expect(messages).toHaveLength(5)
})

it('reports a node that is starting as unavailable, and sends it batches afterwards', async () => {
  const starting = { jsonrpc: '2.0', id: null, error: { code: -32002, message: 'starting' } }
  let isStarting = true
  const { chain, messages } = await startNode(
    (message) =>
      isStarting ? starting : (message as readonly Message[]).map((each) => answerOf(each)),
    () => (isStarting ? 503 : 200),
  )
  const ask = () => Promise.all(['one', 'two'].map((name) => call(chain, name)))
  const unavailable = 'The blockchain network did not respond. Try again later.'
  expect(await ask()).toEqual([unavailable, unavailable])
  isStarting = false
  expect(await ask()).toEqual([
    ['one', 1],
    ['two', 1],
  ])
  expect(messages).toHaveLength(2)
})

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
