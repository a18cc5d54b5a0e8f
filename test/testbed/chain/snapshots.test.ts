import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { isTestbedError } from '#core/errors/testbed-error.ts'
import { realSeconds } from '#scenarios/harness/control-client.ts'
import { callRpc, createTestAccount, openTestChain } from '#test/support/chain.ts'
import { createTemporaryFolder } from '#test/support/temporary-folder.ts'
import { expectReadSince } from '#test/support/timing.ts'

async function startChain(config?: Parameters<typeof openTestChain>[0]) {
  const { chain, call } = await openTestChain(config)
  const head = () => call('eth_getBlockByNumber', 'latest', false) as Promise<Block>
  return { chain, call, head }
}

interface Block {
  readonly number: string
  readonly hash: string
  readonly timestamp: string
  readonly stateRoot: string
}

describe('a snapshot of the chain', () => {
  it('restores blocks, nonces and state, any number of times', async () => {
    const { chain, call, head } = await startChain()
    const account = createTestAccount()
    await call('eth_sendRawTransaction', await account.sign(0))
    const before = await head()
    await chain.save('a')
    for (const _time of [1, 2]) {
      const hash = await call('eth_sendRawTransaction', await account.sign(1))
      expect(await call('eth_getTransactionReceipt', hash)).toMatchObject({ status: '0x1' })
      await chain.restore('a')
      expect(await head()).toEqual(before)
      expect(await call('eth_getTransactionReceipt', hash)).toBeNull()
      expect(await call('eth_getTransactionCount', account.address, 'pending')).toBe('0x1')
    }
  })

  it('answers the same call from the current state, before, during and after each change', async () => {
    const { chain, call, head } = await startChain()
    const account = createTestAccount()
    // NUMBER, return it.
    const blockNumber = () => call('eth_call', { data: '0x4360005260206000f3' }, 'latest')
    const expectCurrent = async () => {
      expect(Number(await blockNumber())).toBe(Number((await head()).number))
    }
    await expectCurrent()
    await chain.save('a')
    for (let nonce = 0; nonce < 5; nonce++) {
      const sent = call('eth_sendRawTransaction', await account.sign(nonce))
      const during = Array.from({ length: 20 }, blockNumber)
      await sent
      await expectCurrent()
      await Promise.all(during)
      await expectCurrent()
    }
    await chain.restore('a')
    await expectCurrent()
    await chain.mine()
    await expectCurrent()
  })

  it('keeps pending transactions, held nonces and the mining mode', async () => {
    const { chain, call } = await startChain({ mining: 'manual' })
    const account = createTestAccount()
    const first = await call('eth_sendRawTransaction', await account.sign(0))
    const afterGap = await call('eth_sendRawTransaction', await account.sign(2))
    await chain.save('pending')
    await chain.setMining('auto')
    const second = await account.sign(1)
    await call('eth_sendRawTransaction', second)
    expect(await call('eth_getTransactionReceipt', afterGap)).toMatchObject({ status: '0x1' })

    await chain.restore('pending')
    expect(await call('eth_getTransactionReceipt', first)).toBeNull()
    // It is pending: a client that sends it again gets this answer, and no
    // other transaction takes its nonce.
    expect(
      (await callRpc(chain.rpcUrl, 'eth_sendRawTransaction', await account.sign(0))).error,
    ).toMatchObject({ message: 'already known' })
    const other = await account.sign(2, { data: '0x01' })
    expect((await callRpc(chain.rpcUrl, 'eth_sendRawTransaction', other)).error?.message).toContain(
      'underpriced',
    )
    expect((await chain.mine()).transactions).toEqual([first])
    await call('eth_sendRawTransaction', second)
    expect((await chain.mine()).transactions).toHaveLength(2)

    // What became pending after it holds no nonce any more.
    await chain.save('empty')
    await call('eth_sendRawTransaction', await account.sign(3))
    await chain.restore('empty')
    const instead = await call('eth_sendRawTransaction', await account.sign(3, { data: '0x03' }))
    expect((await chain.mine()).transactions).toEqual([instead])
  })

  it('restores the time of blocks', async () => {
    const { chain, head } = await startChain()
    await chain.mine()
    const before = await head()
    await chain.save('now')
    await chain.setClockOffset(86_400_000)
    await chain.mine()
    expect(Number((await head()).timestamp) - Number(before.timestamp)).toBeGreaterThan(86_000)
    await chain.setClockOffset(0)
    await chain.restore('now')
    expect(await head()).toEqual(before)
    const began = realSeconds()
    expectReadSince((await chain.mine()).time, began)
  })

  it('drops snapshots later than the restored one', async () => {
    const { chain } = await startChain()
    await chain.save('early')
    await chain.save('late')
    await chain.restore('late')
    await chain.restore('early')
    const code = await chain.restore('late').catch((error) => isTestbedError(error) && error.code)
    expect(code).toBe('unknown_snapshot')
    await chain.restore('early')
  })

  it('does not return the revert reason of a later transaction', async () => {
    const { chain, call } = await startChain()
    const account = createTestAccount()
    // Its code reverts with the time of the block.
    const failing = await account.sign(0, { to: null, data: '0x4260005260206000fd' })
    const reasonOf = async () => {
      const hash = await call('eth_sendRawTransaction', failing)
      const receipt = await call('eth_getTransactionReceipt', hash)
      const { timestamp } = (await call('eth_getBlockByNumber', 'latest', false)) as Block
      return [(receipt as { revertReason: string }).revertReason, timestamp].map(Number)
    }
    await chain.save('before')
    const [reason, time] = await reasonOf()
    expect(reason).toBe(time)
    await chain.restore('before')
    await chain.setClockOffset(1000_000)
    const [reasonAfter, timeAfter] = await reasonOf()
    expect(reasonAfter).toBe(timeAfter)
    expect(timeAfter).not.toBe(time)
  })

  it('is replayed after the process was killed, with all later transactions', async () => {
    const journalPath = join(createTemporaryFolder(), 'chain.journal')
    const { chain, call, head } = await startChain({ journalPath, mining: 'manual' })
    const account = createTestAccount()
    await call('eth_sendRawTransaction', await account.sign(0))
    await chain.mine()
    const pending = await call('eth_sendRawTransaction', await account.sign(1))
    await chain.save('kept')
    await chain.mine()
    await call('eth_sendRawTransaction', await account.sign(2))
    await chain.mine()
    await chain.restore('kept')
    await chain.setClockOffset(7000)
    expect((await chain.mine()).transactions).toEqual([pending])
    const added = await call('eth_sendRawTransaction', await account.sign(2, { data: '0x02' }))
    const before = await head()
    process.kill(chain.pid, 'SIGKILL')
    await chain.ended

    const again = await startChain({ journalPath, mining: 'manual' })
    expect(await again.head()).toEqual(before)
    expect((await again.chain.mine()).transactions).toEqual([added])
  })
})
