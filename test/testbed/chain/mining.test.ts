import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { realSeconds } from '#scenarios/harness/control-client.ts'
import { createTestAccount, openTestChain } from '#test/support/chain.ts'
import { createTemporaryFolder } from '#test/support/temporary-folder.ts'
import { expectReadSince } from '#test/support/timing.ts'

describe('mining', () => {
  it('leaves transactions pending in mode manual until a block is requested', async () => {
    const { chain, call } = await openTestChain({ mining: 'manual' })
    const account = createTestAccount()
    const hash = await call('eth_sendRawTransaction', await account.sign(0))
    expect(await call('eth_getTransactionReceipt', hash)).toBeNull()
    expect(await call('eth_getTransactionCount', account.address, 'pending')).toBe('0x1')
    const block = await chain.mine()
    expect(block.transactions).toEqual([hash])
    expect(await call('eth_getTransactionReceipt', hash)).toMatchObject({ status: '0x1' })
  })

  it('mines pending transactions when mode auto is restored', async () => {
    const { chain, call } = await openTestChain()
    const account = createTestAccount()
    await chain.setMining('manual')
    const hash = await call('eth_sendRawTransaction', await account.sign(0))
    expect(await call('eth_getTransactionReceipt', hash)).toBeNull()
    await chain.setMining('auto')
    expect(await call('eth_getTransactionReceipt', hash)).toMatchObject({ status: '0x1' })
  })

  it('keeps the base fee at zero after a large block, a restored snapshot and a replay', async () => {
    const journalPath = join(createTemporaryFolder(), 'chain.journal')
    const { chain, call } = await openTestChain({ journalPath })
    const account = createTestAccount()
    // INVALID uses up all of its gas, more than half of what a block holds.
    const large = (nonce: number) =>
      account.sign(nonce, { to: null, data: '0xfe', gasLimit: 31_000_000 })
    await call('eth_sendRawTransaction', await large(0))
    await chain.save('after a large block')
    const statusOfNext = async (nonce: number) => {
      const hash = await call('eth_sendRawTransaction', await account.sign(nonce))
      return ((await call('eth_getTransactionReceipt', hash)) as { status: string } | null)?.status
    }
    expect(await statusOfNext(1)).toBe('0x1')
    await call('eth_sendRawTransaction', await large(2))
    await chain.restore('after a large block')
    expect(await statusOfNext(1)).toBe('0x1')
    await call('eth_sendRawTransaction', await large(2))
    const head = (await call('eth_getBlockByNumber', 'latest', false)) as { gasUsed: string }
    expect(Number(head.gasUsed)).toBe(31_000_000)
    await chain.close()
    const again = await openTestChain({ journalPath })
    expect(await again.call('eth_getBlockByNumber', 'latest', false)).toEqual(head)
    const hash = await again.call('eth_sendRawTransaction', await account.sign(3))
    expect(await again.call('eth_getTransactionReceipt', hash)).toMatchObject({ status: '0x1' })
    const last = await again.call('eth_getBlockByNumber', 'latest', false)
    expect(last).toMatchObject({ baseFeePerGas: '0x0' })
  })

  it('mines at an interval', async () => {
    const { call } = await openTestChain({ mining: 20 })
    const hash = await call('eth_sendRawTransaction', await createTestAccount().sign(0))
    await expect
      .poll(() => call('eth_getTransactionReceipt', hash))
      .toMatchObject({ status: '0x1' })
  })

  it('estimates on the state and at the time of the next block', async () => {
    const { chain, call } = await openTestChain()
    const account = createTestAccount()
    const inHalfAnHour = Math.floor(realSeconds() + 1800).toString(16)
    // TIMESTAMP, PUSH4, LT, PUSH1 15, JUMPI; REVERT if it is not later; JUMPDEST, STOP.
    const lateOnly = { data: `0x4263${inHalfAnHour}10600f5760006000fd5b00` }
    await call('eth_sendRawTransaction', await account.sign(0))
    expect(await call('eth_estimateGas', lateOnly)).toBeUndefined()
    await chain.setClockOffset(3600_000)
    const late = await call('eth_estimateGas', lateOnly)
    expect(late).toMatch(/^0x/)
    // Now the latest block has the time of the clock.
    await call('eth_sendRawTransaction', await account.sign(1))
    expect(await call('eth_estimateGas', lateOnly)).toBe(late)
    await chain.setMining('manual')
    await call('eth_sendRawTransaction', await account.sign(2))
    expect(await call('eth_getTransactionCount', account.address, 'latest')).toBe('0x2')
    expect(await call('eth_getTransactionCount', account.address, 'pending')).toBe('0x3')
    expect(await call('eth_estimateGas', lateOnly, 'pending')).toBe(late)
  })

  it('follows the clock when it is moved, and never decreases', async () => {
    const { chain, call } = await openTestChain()
    const account = createTestAccount()
    const latestTime = async () =>
      Number(
        ((await call('eth_getBlockByNumber', 'latest', false)) as { timestamp: string }).timestamp,
      )
    const began = realSeconds()
    await chain.setClockOffset(3600_000)
    await call('eth_sendRawTransaction', await account.sign(0))
    const moved = await latestTime()
    expectReadSince(moved, began, 3600)
    // A contract that is called on the pending block reads the moved time: TIMESTAMP, return it.
    const pending = await call('eth_call', { data: '0x4260005260206000f3' }, 'pending')
    expectReadSince(Number(pending), began, 3600)
    await chain.setClockOffset(0)
    await call('eth_sendRawTransaction', await account.sign(1))
    expect(await latestTime()).toBe(moved)
  })
})
