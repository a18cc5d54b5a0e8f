import { describe, expect, it } from 'vitest'
import { type ChainClient, ChainRpcError } from '#kit/chain-client.ts'
import { createEventIndex } from '#kit/event-index.ts'

interface FakeBlock {
  readonly hash: string
  readonly time: number
  readonly logs: readonly string[]
}

const hexOf = (value: number) => `0x${value.toString(16)}`

/** A chain with handwritten blocks; a log consists of its first argument. */
function createFakeChain(largestAnswer = Number.POSITIVE_INFINITY) {
  const blocks: FakeBlock[] = []
  const calls: { method: string; from?: number; to?: number }[] = []
  let onLogs = () => {}
  const onBlock = new Map<string, () => void>()
  const blockOf = (number: number) => {
    const block = blocks[number]
    if (block === undefined) return null
    return { number: hexOf(number), hash: block.hash, timestamp: hexOf(block.time) }
  }
  const logsOf = (from: number, to: number) => {
    calls.push({ method: 'eth_getLogs', from, to })
    if (to - from + 1 > largestAnswer) throw new ChainRpcError(-32005, 'range too large', undefined)
    const logs = blocks.slice(from, to + 1).flatMap((block, index) =>
      block.logs.map((argument, logIndex) => ({
        blockNumber: hexOf(from + index),
        blockHash: block.hash,
        transactionHash: `${block.hash}/${logIndex}`,
        logIndex: hexOf(logIndex),
        topics: ['0xevent', argument],
        data: '0x',
      })),
    )
    onLogs()
    // Nodes do not guarantee an order.
    return logs.reverse()
  }
  const request = async (method: string, params: readonly unknown[] = []) => {
    const [first] = params
    if (method === 'eth_getLogs') {
      const { fromBlock, toBlock } = first as { fromBlock: string; toBlock: string }
      return logsOf(Number(fromBlock), Number(toBlock))
    }
    calls.push({ method })
    if (method === 'eth_getBlockByNumber') {
      const action = onBlock.get(String(first))
      onBlock.delete(String(first))
      action?.()
      return blockOf(first === 'latest' ? blocks.length - 1 : Number(first))
    }
    return blockOf(blocks.findIndex(({ hash }) => hash === first))
  }
  return {
    blocks,
    calls,
    client: { request } as unknown as ChainClient,
    mine: (hash: string, ...logs: string[]) => {
      blocks.push({ hash, time: 1000 + blocks.length, logs })
    },
    whenAskedFor: (number: number, action: () => void) => onBlock.set(hexOf(number), action),
    whileReadingLogs: (action: () => void) => {
      onLogs = () => {
        onLogs = () => {}
        action()
      }
    },
  }
}

function start(largestAnswer?: number, firstBlock = 0) {
  const chain = createFakeChain(largestAnswer)
  const index = createEventIndex({ chain: chain.client, address: '0xcontract', firstBlock })
  const seen = async () => (await index.logs()).map(({ transactionHash }) => transactionHash)
  const seenOf = async (argument: string) =>
    (await index.logsOf(argument)).map(({ transactionHash }) => transactionHash)
  return { chain, index, seen, seenOf }
}

describe('createEventIndex', () => {
  it('returns all logs in order, and the logs of one argument', async () => {
    const { chain, seen, seenOf } = start()
    chain.mine('a', '0x1', '0x2')
    chain.mine('b')
    chain.mine('c', '0x1')
    expect(await seen()).toEqual(['a/0', 'a/1', 'c/0'])
    expect(await seenOf('0x1')).toEqual(['a/0', 'c/0'])
    expect(await seenOf('0x3')).toEqual([])
  })

  it('requests only new blocks, and sends one request if there are none', async () => {
    const { chain, seen } = start()
    for (let block = 0; block < 20; block++) chain.mine(`block ${block}`, '0x1')
    await seen()
    chain.calls.length = 0
    await seen()
    expect(chain.calls).toEqual([{ method: 'eth_getBlockByNumber' }])
    chain.mine('new', '0x1')
    expect(await seen()).toHaveLength(21)
    const asked = chain.calls.filter(({ method }) => method === 'eth_getLogs')
    expect(asked).toEqual([{ method: 'eth_getLogs', from: 20, to: 20 }])
  })

  it('begins with the given block', async () => {
    const { chain, seen } = start(undefined, 2)
    for (const hash of ['a', 'b', 'c']) chain.mine(hash, '0x1')
    expect(await seen()).toEqual(['c/0'])
  })

  it('returns no logs if the chain has not reached the first block', async () => {
    const { chain, seen } = start(undefined, 5)
    chain.mine('a', '0x1')
    expect(await seen()).toEqual([])
  })

  it('drops the logs that a reorganization removed and reads their replacements', async () => {
    const { chain, seen, seenOf } = start()
    for (const hash of ['a', 'b', 'c', 'd']) {
      chain.mine(hash, '0x1', '0x2')
      await seen()
    }
    chain.blocks.length = 2
    chain.mine('C', '0x1')
    chain.mine('D', '0x3')
    chain.calls.length = 0
    expect(await seen()).toEqual(['a/0', 'a/1', 'b/0', 'b/1', 'C/0', 'D/0'])
    expect(await seenOf('0x2')).toEqual(['a/1', 'b/1'])
    expect(await seenOf('0x3')).toEqual(['D/0'])
    const asked = chain.calls.filter(({ method }) => method === 'eth_getLogs')
    expect(asked).toEqual([{ method: 'eth_getLogs', from: 2, to: 3 }])
  })

  it('survives a chain that was rolled back or restarted', async () => {
    const { chain, seen, seenOf } = start()
    for (const hash of ['a', 'b', 'c', 'd']) {
      chain.mine(hash, '0x1')
      await seen()
    }
    chain.blocks.length = 2
    expect(await seen()).toEqual(['a/0', 'b/0'])
    chain.blocks.length = 0
    chain.mine('other', '0x2')
    expect([await seen(), await seenOf('0x1')]).toEqual([['other/0'], []])
  })

  it('reads again if the chain changes during a read', async () => {
    const { chain, seen } = start()
    chain.mine('a', '0x1')
    chain.mine('b', '0x1')
    chain.whileReadingLogs(() => {
      chain.blocks.length = 1
      chain.mine('B', '0x1', '0x1')
    })
    expect(await seen()).toEqual(['a/0', 'B/0', 'B/1'])
  })

  it('reads again if the chain changes between two reads', async () => {
    const { chain, seen } = start(2)
    for (let block = 0; block < 8; block++) chain.mine(`b${block}`, '0x1')
    chain.whenAskedFor(5, () => {
      chain.blocks.length = 0
      for (let block = 0; block < 8; block++) chain.mine(`B${block}`, '0x1')
    })
    expect(await seen()).toEqual(Array.from({ length: 8 }, (_, block) => `B${block}/0`))
  })

  it('adapts to the block range that a node allows', async () => {
    const { chain, seen } = start(3)
    for (let block = 0; block < 10; block++) chain.mine(`b${block}`, '0x1')
    expect(await seen()).toEqual(Array.from({ length: 10 }, (_, block) => `b${block}/0`))
  })

  it('fails if a node returns no logs, and recovers when the node does', async () => {
    const { chain, index, seen } = start(0)
    chain.mine('a', '0x1')
    await expect(index.logs()).rejects.toThrow(ChainRpcError)
    await expect(seen()).rejects.toThrow(ChainRpcError)
  })

  it('answers concurrent queries with the logs at the time of each query', async () => {
    const { chain, seen } = start()
    chain.mine('a', '0x1')
    const first = seen()
    chain.mine('b', '0x1')
    const others = await Promise.all([seen(), seen(), first])
    expect(others.slice(0, 2)).toEqual([
      ['a/0', 'b/0'],
      ['a/0', 'b/0'],
    ])
    expect(chain.calls.filter(({ method }) => method === 'eth_getLogs').length).toBeLessThan(3)
  })

  it('returns the time of a log with one request for each block', async () => {
    const { chain, index } = start()
    chain.mine('a')
    chain.mine('b', '0x1', '0x2')
    const logs = await index.logs()
    chain.calls.length = 0
    const times = []
    for (const log of logs) times.push(await index.timeOf(log))
    expect([times, chain.calls]).toEqual([[1001, 1001], [{ method: 'eth_getBlockByHash' }]])
  })
})
