import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { appendFileSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { isTestbedError } from '#core/errors/testbed-error.ts'
import { realSeconds } from '#scenarios/harness/control-client.ts'
import { callRpc, createTestAccount, openTestChain, startTestChain } from '#test/support/chain.ts'
import { createTemporaryFolder } from '#test/support/temporary-folder.ts'
import { expectReadSince } from '#test/support/timing.ts'
import { type JournalEntry, openJournal } from '#testbed/chain/journal.ts'

const errorCode = (thrown: unknown) => (isTestbedError(thrown) ? thrown.code : thrown)

describe('a chain with a journal', () => {
  it('has the same hashes and state after a restart', async () => {
    const journalPath = join(createTemporaryFolder(), 'chain.journal')
    const account = createTestAccount()
    const first = await openTestChain({ journalPath })
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

    const second = await openTestChain({ journalPath })
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

  it('reports its open port, then how much of the journal is replayed, up to all of it', async () => {
    const journalPath = join(createTemporaryFolder(), 'chain.journal')
    const account = createTestAccount()
    const first = await openTestChain({ journalPath })
    for (let nonce = 0; nonce < 40; nonce++) {
      await first.call('eth_sendRawTransaction', await account.sign(nonce))
    }
    await first.chain.close()
    const events: string[] = []
    const seen: { readonly done: number; readonly total: number }[] = []
    const second = await startTestChain(
      { journalPath },
      {
        onListening: (port) => events.push(`port ${port}`),
        onReplay(progress) {
          events.push('replay')
          seen.push(progress)
        },
      },
    )
    await second.close()
    expect(events.slice(0, 2)).toEqual([`port ${second.port}`, 'replay'])
    // A transaction and its block are an entry each.
    expect(seen.at(-1)).toEqual({ done: 80, total: 80 })
    expect(seen.length).toBeGreaterThan(1)
    expect(seen.map(({ done }) => done)).toEqual(
      seen.map(({ done }) => done).sort((one, other) => one - other),
    )
  })

  it('mines at the time of the clock after a pause, not at the time when it stopped', async () => {
    const journalPath = join(createTemporaryFolder(), 'chain.journal')
    const account = createTestAccount()
    const first = await openTestChain({ journalPath })
    await first.call('eth_sendRawTransaction', await account.sign(0))
    await first.chain.close()
    const began = realSeconds()
    const second = await openTestChain({ journalPath, clockOffset: 86_400_000 })
    // TIMESTAMP on the pending block, before anything was mined.
    const pending = await second.call('eth_call', { data: '0x4260005260206000f3' }, 'pending')
    expectReadSince(Number(pending), began, 86_400)
    await second.call('eth_sendRawTransaction', await account.sign(1))
    const blocks = await second.readBlocks()
    expect(Number(blocks.at(-1)?.timestamp) - Number(blocks.at(-2)?.timestamp)).toBeGreaterThan(
      86_000,
    )
  })

  it('removes an incomplete last entry, reports it and continues', async () => {
    const journalPath = join(createTemporaryFolder(), 'chain.journal')
    const account = createTestAccount()
    const first = await openTestChain({ journalPath })
    await first.call('eth_sendRawTransaction', await account.sign(0))
    const blocks = await first.readBlocks()
    await first.chain.close()
    const whole = readFileSync(journalPath)
    const half = whole.subarray(0, Math.floor(whole.length / 3))
    const torn = half.subarray(0, half.indexOf(10) - 5)
    appendFileSync(journalPath, torn)
    const second = await openTestChain({ journalPath })
    expect(second.chain.cutBytes).toBe(torn.length)
    expect(await second.readBlocks()).toEqual(blocks)
    expect(statSync(journalPath).size).toBe(whole.length)
    await second.call('eth_sendRawTransaction', await account.sign(1))
    const longer = await second.readBlocks()
    await second.chain.close()
    const third = await openTestChain({ journalPath })
    expect(await third.readBlocks()).toEqual(longer)
  })

  it('rejects the journal of another chain', async () => {
    const journalPath = join(createTemporaryFolder(), 'chain.journal')
    const first = await openTestChain({ journalPath })
    await first.chain.close()
    const other = startTestChain({ journalPath, chainId: 1 })
    expect(errorCode(await other.catch((error) => error))).toBe('journal_mismatch')
  })

  it('rejects a journal that does not reproduce its blocks', async () => {
    const journalPath = join(createTemporaryFolder(), 'chain.journal')
    const first = await openTestChain({ journalPath })
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
    const { chain } = await openTestChain({})
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
    await expect.poll(answers).toBe(false)
  })

  it('reports that it ended unexpectedly', async () => {
    const { chain, end } = await openTestChain({})
    await end('SIGKILL')
    expect((await chain.ended)?.code).toBe('chain_failed')
    expect(errorCode(await chain.mine().catch((error) => error))).toBe('chain_failed')
  })

  it('reports a port in use', async () => {
    const { chain } = await openTestChain({})
    const other = startTestChain({ port: chain.port })
    expect(errorCode(await other.catch((error) => error))).toBe('port_taken')
  })
})
