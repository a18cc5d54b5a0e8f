import { copyFileSync, statSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { describe, expect, it } from 'vitest'
import { callRpc, createTestAccount, openTestChain, testChainId } from '#test/support/chain.ts'
import { canLimitFileSize, limitFileSize } from '#test/support/processes.ts'
import { createTemporaryFolder } from '#test/support/temporary-folder.ts'
import { openJournal } from '#testbed/chain/journal.ts'

/** What 0.1.0 accepted into journals/0.1.0-stuck.journal and never mined. */
const stuckTransactions = [
  '0x78364ec3a459d175fc39eaadeb30dc00438e0bc8f1fb7f2c3a7cddb122021d6c',
  '0xdabf15b2518474ef1f048643996c84fd58c0473bf8d72243dd0f617c16e871df',
  '0x21a1ee8fd0a4a9fc9448ca9500dc1801e1d888f07249a1f52b9cc68ca4a4f9c2',
]

describe('a chain with a journal', () => {
  it('accepts nothing while its disk is full, reports it, and recovers', async ({ skip }) => {
    if (!canLimitFileSize()) return skip('prlimit is not installed here')
    const journalPath = join(createTemporaryFolder(), 'chain.journal')
    const account = createTestAccount()
    const first = await openTestChain({ journalPath })
    const send = async (nonce: number) =>
      callRpc(first.chain.rpcUrl, 'eth_sendRawTransaction', await account.sign(nonce))
    const nonceOf = (call: typeof first.call) => call('eth_getTransactionCount', account.address)
    await send(0)
    // No room for the transaction; then room for it, but not for its block.
    for (const [nonce, room] of [
      [1, 0],
      [2, 300],
    ] as const) {
      limitFileSize(first.chain.pid, statSync(journalPath).size + room)
      for (let attempt = 0; attempt < 2; attempt += 1) {
        expect((await send(nonce)).error).toMatchObject({ code: -32002 })
      }
      expect((await callRpc(first.chain.rpcUrl, 'eth_chainId')).error).toMatchObject({
        code: -32002,
        message: expect.stringContaining('EFBIG'),
      })
      limitFileSize(first.chain.pid, 'unlimited')
      expect(await first.call('eth_chainId')).toBe(`0x${testChainId.toString(16)}`)
      if (room === 0) expect((await send(nonce)).result).toBeTruthy()
    }
    // The transaction was in the journal already, so that it was mined once its block was, too.
    expect(await nonceOf(first.call)).toBe('0x3')
    expect((await send(3)).result).toBeTruthy()
    const blocks = await first.readBlocks()
    await first.end('SIGKILL')
    const second = await openTestChain({ journalPath })
    expect(await second.readBlocks()).toEqual(blocks)
    expect(await nonceOf(second.call)).toBe('0x4')
  })

  it('loses no acknowledged transaction if it is killed during a burst', async () => {
    const journalPath = join(createTemporaryFolder(), 'chain.journal')
    const first = await openTestChain({ journalPath })
    const accounts = Array.from({ length: 8 }, createTestAccount)
    const raws = await Promise.all(
      accounts.flatMap((account) => Array.from({ length: 40 }, (_, nonce) => account.sign(nonce))),
    )
    const answered: { hash: unknown; blockHash: unknown }[] = []
    let open = raws.length
    const killed = Promise.withResolvers<void>()
    const sending = raws.map(async (raw) => {
      try {
        const hash = await first.call('eth_sendRawTransaction', raw)
        const receipt = (await first.call('eth_getTransactionReceipt', hash)) as {
          blockHash: string
        } | null
        answered.push({ hash, blockHash: receipt?.blockHash })
        if (answered.length === 60) killed.resolve(first.end('SIGKILL'))
      } catch {
        // The node was down, so this client received no message.
      } finally {
        open -= 1
      }
    })
    await killed.promise
    await Promise.all(sending)
    expect(open).toBe(0)
    expect(answered.length).toBeGreaterThanOrEqual(60)

    const second = await openTestChain({ journalPath })
    for (const { hash, blockHash } of answered) {
      const receipt = await second.call('eth_getTransactionReceipt', hash)
      if (blockHash === undefined) {
        expect(await second.call('eth_getTransactionByHash', hash)).not.toBeNull()
      } else {
        expect(receipt).toMatchObject({ status: '0x1', blockHash })
      }
    }
  })

  it('keeps pending transactions in mode manual, and mines them in mode auto', async () => {
    const journalPath = join(createTemporaryFolder(), 'chain.journal')
    const account = createTestAccount()
    const first = await openTestChain({ journalPath, mining: 'manual' })
    const hash = await first.call('eth_sendRawTransaction', await account.sign(0))
    const held = await first.call('eth_sendRawTransaction', await account.sign(2))
    await first.end('SIGKILL')
    const second = await openTestChain({ journalPath, mining: 'manual' })
    expect(await second.call('eth_getTransactionReceipt', hash)).toBeNull()
    await second.end('SIGKILL')
    const third = await openTestChain({ journalPath, mining: 'auto' })
    expect(await third.call('eth_getTransactionReceipt', hash)).toMatchObject({ status: '0x1' })
    expect(await third.call('eth_getTransactionReceipt', held)).toBeNull()
    await third.call('eth_sendRawTransaction', await account.sign(1))
    expect(await third.call('eth_getTransactionReceipt', held)).toMatchObject({ status: '0x1' })
  })

  it('replays a few hundred transactions', async () => {
    const journalPath = join(createTemporaryFolder(), 'chain.journal')
    const first = await openTestChain({ journalPath })
    const accounts = Array.from({ length: 3 }, createTestAccount)
    for (let nonce = 0; nonce < 100; nonce++) {
      await Promise.all(
        accounts.map(async (one) => first.call('eth_sendRawTransaction', await one.sign(nonce))),
      )
    }
    const head = await first.call('eth_getBlockByNumber', 'latest', false)
    await first.chain.close()
    const second = await openTestChain({ journalPath })
    expect(await second.call('eth_getBlockByNumber', 'latest', false)).toEqual(head)
    for (const { address } of accounts) {
      expect(await second.call('eth_getTransactionCount', address, 'latest')).toBe('0x64')
    }
  })

  it('repairs a journal of 0.1.0 whose chain had stopped at a base fee of 1 wei', async () => {
    const journalPath = join(createTemporaryFolder(), 'chain.journal')
    copyFileSync(resolve(import.meta.dirname, 'journals/0.1.0-stuck.journal'), journalPath)
    const journal = openJournal(journalPath, { version: 1, chainId: 20261, genesisTime: 0 })
    const recorded = journal.entries.flatMap((entry) =>
      'mined' in entry ? [entry.mined.hash] : [],
    )
    journal.close()
    const first = await openTestChain({ journalPath })
    const blocks = await first.readBlocks()
    expect(blocks.slice(1, -1).map(({ hash }) => hash)).toEqual(recorded)
    for (const hash of stuckTransactions) {
      const receipt = await first.call('eth_getTransactionReceipt', hash)
      expect(receipt).toMatchObject({ status: '0x1', blockNumber: '0x6' })
    }
    const next = await first.call('eth_sendRawTransaction', await createTestAccount().sign(0))
    expect(await first.call('eth_getTransactionReceipt', next)).toMatchObject({ status: '0x1' })
    const repaired = await first.readBlocks()
    await first.end('SIGKILL')
    const second = await openTestChain({ journalPath })
    expect(await second.readBlocks()).toEqual(repaired)
  })
})
