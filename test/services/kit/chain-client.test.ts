import { expect, it } from 'vitest'
import { createChainClient } from '#kit/chain-client.ts'
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
  const unavailable = 'The blockchain network did not answer. Try again later.'
  expect(await ask()).toEqual([unavailable, unavailable])
  isStarting = false
  expect(await ask()).toEqual([
    ['one', 1],
    ['two', 1],
  ])
  expect(messages).toHaveLength(2)
})
