import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { appendFileSync, copyFileSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { isTestbedError } from '#core/errors/testbed-error.ts'
import { callRpc, createTestAccount, startTestChain, testChainId } from '#test/support/chain.ts'
import { canLimitFileSize, limitFileSize } from '#test/support/processes.ts'
import { createTemporaryFolder } from '#test/support/temporary-folder.ts'
import { expectToldSince, realSeconds } from '#test/support/timing.ts'
import { type JournalEntry, openJournal } from '#testbed/chain/journal.ts'

async function startChain(config: Parameters<typeof startTestChain>[0]) {
  const chain = await startTestChain(config)
  onTestFinished(() => chain.close())
  const call = async (method: string, ...params: unknown[]) =>
    (await callRpc(chain.rpcUrl, method, ...params)).result
  /** Hashes and state roots from the genesis block on. */
  const readBlocks = async () => {
    const last = Number(await call('eth_blockNumber'))
    const blocks = await Promise.all(
      Array.from({ length: last + 1 }, (_, number) =>
        call('eth_getBlockByNumber', `0x${number.toString(16)}`, false),
      ),
    )
    return blocks.map((block) => {
      const { hash, stateRoot, timestamp } = block as Record<string, string>
      return { hash, stateRoot, timestamp }
    })
  }
  const end = async (signal: NodeJS.Signals) => {
    process.kill(chain.pid, signal)
    await chain.ended
  }
  return { chain, call, readBlocks, end }
}

/** What 0.1.0 accepted into journals/0.1.0-stuck.journal and never mined. */
const stuckTransactions = [
  '0x78364ec3a459d175fc39eaadeb30dc00438e0bc8f1fb7f2c3a7cddb122021d6c',
  '0xdabf15b2518474ef1f048643996c84fd58c0473bf8d72243dd0f617c16e871df',
  '0x21a1ee8fd0a4a9fc9448ca9500dc1801e1d888f07249a1f52b9cc68ca4a4f9c2',
]

const errorCode = (thrown: unknown) => (isTestbedError(thrown) ? thrown.code : thrown)

describe('a chain with a journal', () => {
  it('accepts nothing while its disk is full, reports it, and recovers', async ({ skip }) => {
    if (!canLimitFileSize()) return skip('prlimit is not installed here')
    const journalPath = join(createTemporaryFolder(), 'chain.journal')
    const account = createTestAccount()
    const first = await startChain({ journalPath })
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
    const second = await startChain({ journalPath })
    expect(await second.readBlocks()).toEqual(blocks)
    expect(await nonceOf(second.call)).toBe('0x4')
  })

  it('has the same hashes and state after a restart', async () => {
    const journalPath = join(createTemporaryFolder(), 'chain.journal')
    const account = createTestAccount()
    const first = await startChain({ journalPath })
    for (let nonce = 0; nonce < 10; nonce++) {
      await first.call('eth_sendRawTransaction', await account.sign(nonce))
    }
    // A deployed contract and a failed transaction too.
    const raw = await account.sign(10, { to: null, data: '0x602a60005260206000f3' })
    const deployed = await first.call('eth_sendRawTransaction', raw)
    const { contractAddress } = (await first.call('eth_getTransactionReceipt', deployed)) as {
      contractAddress: string
    }
    const code = await first.call('eth_getCode', contractAddress, 'latest')
    const failing = await account.sign(11, { to: null, data: '0x63deadbeef6000526004601cfd' })
    const failed = await first.call('eth_sendRawTransaction', failing)
    const blocks = await first.readBlocks()
    await first.chain.close()

    const second = await startChain({ journalPath })
    expect(await second.readBlocks()).toEqual(blocks)
    expect(await second.call('eth_getCode', contractAddress, 'latest')).toBe(code)
    expect(await second.call('eth_getTransactionReceipt', failed)).toMatchObject({
      status: '0x0',
      revertReason: '0xdeadbeef',
    })
    // It continues: the next nonce is the expected one.
    const next = await second.call('eth_sendRawTransaction', await account.sign(12))
    expect(await second.call('eth_getTransactionReceipt', next)).toMatchObject({ status: '0x1' })
  })

  it('loses no acknowledged transaction if it is killed during a burst', async () => {
    const journalPath = join(createTemporaryFolder(), 'chain.journal')
    const first = await startChain({ journalPath })
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

    const second = await startChain({ journalPath })
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
    const first = await startChain({ journalPath, mining: 'manual' })
    const hash = await first.call('eth_sendRawTransaction', await account.sign(0))
    const held = await first.call('eth_sendRawTransaction', await account.sign(2))
    await first.end('SIGKILL')
    const second = await startChain({ journalPath, mining: 'manual' })
    expect(await second.call('eth_getTransactionReceipt', hash)).toBeNull()
    await second.end('SIGKILL')
    const third = await startChain({ journalPath, mining: 'auto' })
    expect(await third.call('eth_getTransactionReceipt', hash)).toMatchObject({ status: '0x1' })
    expect(await third.call('eth_getTransactionReceipt', held)).toBeNull()
    await third.call('eth_sendRawTransaction', await account.sign(1))
    expect(await third.call('eth_getTransactionReceipt', held)).toMatchObject({ status: '0x1' })
  })

  it('mines at the time of the clock after a pause, not at the time when it stopped', async () => {
    const journalPath = join(createTemporaryFolder(), 'chain.journal')
    const account = createTestAccount()
    const first = await startChain({ journalPath })
    await first.call('eth_sendRawTransaction', await account.sign(0))
    await first.chain.close()
    const began = realSeconds()
    const second = await startChain({ journalPath, clockOffset: 86_400_000 })
    // TIMESTAMP on the pending block, before anything was mined.
    const pending = await second.call('eth_call', { data: '0x4260005260206000f3' }, 'pending')
    expectToldSince(Number(pending), began, 86_400)
    await second.call('eth_sendRawTransaction', await account.sign(1))
    const blocks = await second.readBlocks()
    expect(Number(blocks.at(-1)?.timestamp) - Number(blocks.at(-2)?.timestamp)).toBeGreaterThan(
      86_000,
    )
  })

  it('removes an incomplete last entry, reports it and continues', async () => {
    const journalPath = join(createTemporaryFolder(), 'chain.journal')
    const account = createTestAccount()
    const first = await startChain({ journalPath })
    await first.call('eth_sendRawTransaction', await account.sign(0))
    const blocks = await first.readBlocks()
    await first.chain.close()
    const whole = readFileSync(journalPath)
    const half = whole.subarray(0, Math.floor(whole.length / 3))
    const torn = half.subarray(0, half.indexOf(10) - 5)
    appendFileSync(journalPath, torn)
    const second = await startChain({ journalPath })
    expect(second.chain.cutBytes).toBe(torn.length)
    expect(await second.readBlocks()).toEqual(blocks)
    expect(statSync(journalPath).size).toBe(whole.length)
    await second.call('eth_sendRawTransaction', await account.sign(1))
    const longer = await second.readBlocks()
    await second.chain.close()
    const third = await startChain({ journalPath })
    expect(await third.readBlocks()).toEqual(longer)
  })

  it('replays a few hundred transactions', async () => {
    const journalPath = join(createTemporaryFolder(), 'chain.journal')
    const first = await startChain({ journalPath })
    const accounts = Array.from({ length: 3 }, createTestAccount)
    for (let nonce = 0; nonce < 100; nonce++) {
      await Promise.all(
        accounts.map(async (one) => first.call('eth_sendRawTransaction', await one.sign(nonce))),
      )
    }
    const head = await first.call('eth_getBlockByNumber', 'latest', false)
    await first.chain.close()
    const second = await startChain({ journalPath })
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
    const first = await startChain({ journalPath })
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
    const second = await startChain({ journalPath })
    expect(await second.readBlocks()).toEqual(repaired)
  })

  it('rejects the journal of another chain', async () => {
    const journalPath = join(createTemporaryFolder(), 'chain.journal')
    const first = await startChain({ journalPath })
    await first.chain.close()
    const other = startTestChain({ journalPath, chainId: 1 })
    expect(errorCode(await other.catch((error) => error))).toBe('journal_mismatch')
  })

  it('rejects a journal that does not reproduce its blocks', async () => {
    const journalPath = join(createTemporaryFolder(), 'chain.journal')
    const first = await startChain({ journalPath })
    await first.call('eth_sendRawTransaction', await createTestAccount().sign(0))
    await first.chain.close()
    const header = { version: 1, chainId: 20261, genesisTime: 0 } as const
    const journal = openJournal(journalPath, header)
    const mined = { number: 2, time: 2_000_000_000, hash: `0x${'00'.repeat(32)}`, transactions: [] }
    journal.append([{ mined }])
    journal.close()
    const second = startTestChain({ journalPath })
    expect(errorCode(await second.catch((error) => error))).toBe('journal_replay_differs')
  })
})

describe('the journal file', () => {
  const header = { version: 1, chainId: 20261, genesisTime: 1_800_000_000 } as const
  const entries: JournalEntry[] = [
    { accepted: '0x01' },
    { mined: { number: 1, time: 1_800_000_001, hash: '0xaa', transactions: ['0xbb'] } },
    { accepted: '0x02' },
  ]
  const write = (path: string) => {
    const journal = openJournal(path, header)
    journal.append(entries)
    journal.sync()
    journal.close()
    return readFileSync(path)
  }

  it('can be truncated anywhere in its last entry, and nowhere else', () => {
    const path = join(createTemporaryFolder(), 'journal')
    const whole = write(path)
    const lastEntry = whole.subarray(0, -1).lastIndexOf(10) + 1
    for (let length = lastEntry; length < whole.length; length++) {
      writeFileSync(path, whole.subarray(0, length))
      const journal = openJournal(path, header)
      expect(journal.entries).toEqual(entries.slice(0, -1))
      expect(journal.cutBytes).toBe(length - lastEntry)
      expect(journal.position).toBe(lastEntry)
      journal.close()
      expect(statSync(path).size).toBe(lastEntry)
    }
  })

  it('detects a changed byte: removes the last entry, rejects an earlier one', () => {
    const path = join(createTemporaryFolder(), 'journal')
    const whole = write(path)
    const last = Buffer.from(whole)
    last[whole.length - 4] = 0x39
    writeFileSync(path, last)
    const journal = openJournal(path, header)
    expect(journal.entries).toEqual(entries.slice(0, -1))
    journal.close()

    const middle = Buffer.from(whole)
    const secondEntry = whole.indexOf(10) + 1
    middle[secondEntry + 25] = 0x39
    writeFileSync(path, middle)
    let thrown: unknown
    try {
      openJournal(path, header)
    } catch (error) {
      thrown = error
    }
    expect(errorCode(thrown)).toBe('journal_damaged')
  })

  it('keeps its genesis time, and returns to a position', () => {
    const path = join(createTemporaryFolder(), 'journal')
    write(path)
    const journal = openJournal(path, { ...header, genesisTime: 5 })
    expect(journal.header).toEqual(header)
    const { position } = journal
    journal.append([{ accepted: '0x03' }])
    journal.truncate(position)
    journal.append([{ accepted: '0x04' }])
    journal.close()
    const again = openJournal(path, header)
    expect(again.entries).toEqual([...entries, { accepted: '0x04' }])
    again.close()
  })
})

describe('the chain process', () => {
  it('ends when its parent disconnects, and frees the port', async () => {
    const { chain } = await startChain({})
    await chain.close()
    await expect(fetch(chain.rpcUrl)).rejects.toThrow()
    expect(await chain.ended).toBeUndefined()
  })

  it('ends when its parent is killed', async () => {
    const program = `
      import { startTestChain } from '#test/support/chain.ts'
      const { pid, rpcUrl } = await startTestChain()
      process.stdout.write(JSON.stringify({ pid, rpcUrl }))
      setInterval(() => {}, 1000)
    `
    const parent = spawn(process.execPath, ['--input-type=module', '-e', program])
    const [text] = await once(parent.stdout, 'data')
    const { rpcUrl } = JSON.parse(String(text)) as { rpcUrl: string }
    expect((await callRpc(rpcUrl, 'eth_blockNumber')).result).toBe('0x0')
    parent.kill('SIGKILL')
    const answers = () =>
      callRpc(rpcUrl, 'eth_blockNumber').then(
        () => true,
        () => false,
      )
    await expect.poll(answers, { timeout: 5000 }).toBe(false)
  })

  it('reports that it ended unexpectedly', async () => {
    const { chain, end } = await startChain({})
    await end('SIGKILL')
    expect((await chain.ended)?.code).toBe('chain_failed')
    expect(errorCode(await chain.mine().catch((error) => error))).toBe('chain_failed')
  })

  it('reports a port in use', async () => {
    const { chain } = await startChain({})
    const other = startTestChain({ port: chain.port })
    expect(errorCode(await other.catch((error) => error))).toBe('port_taken')
  })
})
