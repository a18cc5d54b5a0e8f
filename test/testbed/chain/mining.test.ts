import { describe, expect, it, onTestFinished } from 'vitest'
import { callRpc, createTestAccount, startTestChain } from '#test/support/chain.ts'
import { expectToldSince } from '#test/support/expect-told-since.ts'
import { realSeconds } from '#test/support/real-seconds.ts'

async function startChain(...parameters: Parameters<typeof startTestChain>) {
  const chain = await startTestChain(...parameters)
  onTestFinished(() => chain.close())
  const call = async (method: string, ...params: unknown[]) =>
    (await callRpc(chain.rpcUrl, method, ...params)).result
  return { chain, call }
}

describe('mining', () => {
  it('leaves transactions pending in mode manual until a block is asked for', async () => {
    const { chain, call } = await startChain({ mining: 'manual' })
    const account = createTestAccount()
    const hash = await call('eth_sendRawTransaction', await account.sign(0))
    expect(await call('eth_getTransactionReceipt', hash)).toBeNull()
    expect(await call('eth_getTransactionCount', account.address, 'pending')).toBe('0x1')
    const block = await chain.mine()
    expect(block.transactions).toEqual([hash])
    expect(await call('eth_getTransactionReceipt', hash)).toMatchObject({ status: '0x1' })
  })

  it('mines what is pending when mode auto comes back', async () => {
    const { chain, call } = await startChain()
    const account = createTestAccount()
    await chain.setMining('manual')
    const hash = await call('eth_sendRawTransaction', await account.sign(0))
    expect(await call('eth_getTransactionReceipt', hash)).toBeNull()
    await chain.setMining('auto')
    expect(await call('eth_getTransactionReceipt', hash)).toMatchObject({ status: '0x1' })
  })

  it('mines by interval', async () => {
    const { call } = await startChain({ mining: 20 })
    const hash = await call('eth_sendRawTransaction', await createTestAccount().sign(0))
    await expect
      .poll(() => call('eth_getTransactionReceipt', hash), { timeout: 5000 })
      .toMatchObject({ status: '0x1' })
  })

  it('follows the clock that is moved, and never goes back', async () => {
    const { chain, call } = await startChain()
    const account = createTestAccount()
    const latestTime = async () =>
      Number(
        ((await call('eth_getBlockByNumber', 'latest', false)) as { timestamp: string }).timestamp,
      )
    const began = realSeconds()
    await chain.setClockOffset(3600_000)
    await call('eth_sendRawTransaction', await account.sign(0))
    const moved = await latestTime()
    expectToldSince(moved, began, 3600)
    // A contract that is called on the pending block reads the moved time: TIMESTAMP, return it.
    const pending = await call('eth_call', { data: '0x4260005260206000f3' }, 'pending')
    expectToldSince(Number(pending), began, 3600)
    await chain.setClockOffset(0)
    await call('eth_sendRawTransaction', await account.sign(1))
    expect(await latestTime()).toBe(moved)
  })
})
