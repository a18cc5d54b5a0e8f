import { Transaction } from 'ethers'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createDidKey } from '#test/support/create-did-key.ts'
import { createDidCommands } from '#test/support/did-commands.ts'
import { type Registries, startRegistries } from '#test/support/registries.ts'

const organization = 'urn:oid:organizationIdentifier:VATES-A12345678'

let registries: Registries
beforeAll(async () => {
  registries = await startRegistries()
})
afterAll(() => registries.stop())

describe('testbed did sign', () => {
  const build = async (label: string) => {
    const key = createDidKey(label)
    const answer = await registries.didRegistry.build('insertFirstDidDocument', {
      ...registries.didRegistry.firstDocumentOf(key),
    })
    return answer.body
  }

  // @row 2.what-the-service-does.1 2.resources-and-their-fields/unsigned-transaction.1..9
  it('signs what the registry built so that a foreign library finds signer and content', async () => {
    const { did, json, keyFile, fileWith } = createDidCommands()
    const unsigned = await build('signed offline')
    const key = ['--key-file', keyFile('onboarding node')]
    const { stdout, exitCode, stderr } = await did(['sign', fileWith('tx.json', unsigned), ...key])
    expect(exitCode, stderr).toBe(0)
    const transaction = Transaction.from(stdout.trim())
    expect(transaction.from).toBe(unsigned.from)
    expect(transaction.to?.toLowerCase()).toBe(unsigned.to.toLowerCase())
    expect(transaction.data).toBe(unsigned.data)
    expect(transaction.chainId).toBe(BigInt(unsigned.chainId))
    expect(transaction.nonce).toBe(Number(unsigned.nonce))
    expect(transaction.gasLimit).toBe(BigInt(unsigned.gasLimit))
    expect(transaction.gasPrice).toBe(BigInt(unsigned.gasPrice))
    expect(transaction.value).toBe(0n)

    // In plain words, on stderr: the function, its arguments, chain and contract.
    expect(stderr).toContain('insertFirstDidDocument')
    expect(stderr).toContain(createDidKey('signed offline').did)
    expect(stderr).toContain(organization)
    expect(stderr).toContain(BigInt(unsigned.chainId).toString())
    expect(stderr.toLowerCase()).toContain(unsigned.to.toLowerCase())

    // From stdin, as a JSON-RPC answer; the parts are those of the whole.
    const parts = await json(['sign', '-', ...key], JSON.stringify({ id: 1, result: unsigned }))
    expect(parts.signedRawTransaction).toBe(stdout.trim())
    expect(parts.hash).toBe(transaction.hash)
    expect(parts.unsignedTransaction).toEqual(unsigned)
    expect([parts.r, parts.s, Number(parts.v)]).toEqual([
      transaction.signature?.r,
      transaction.signature?.s,
      transaction.signature?.v,
    ])
  })

  it('refuses a key that is not that of from', async () => {
    const { did, keyFile, fileWith } = createDidCommands()
    const file = fileWith('tx.json', await build('signed by another'))
    const { exitCode, stdout, stderr } = await did(['sign', file, '--key-file', keyFile('thief')])
    expect({ exitCode, stdout }).toEqual({ exitCode: 1, stdout: '' })
    expect(stderr).toContain(createDidKey('thief').address)
  })

  it('refuses call data that it cannot tell in words, unless that is wanted', async () => {
    const { did, keyFile, fileWith } = createDidCommands()
    const unsigned = { ...(await build('unknown call')), data: '0xdeadbeef' }
    const args = ['sign', fileWith('tx.json', unsigned), '--key-file', keyFile('onboarding node')]
    expect(await did(args)).toMatchObject({ exitCode: 1, stdout: '' })
    const { stdout } = await did([...args, '--allow-unknown'])
    expect(Transaction.from(stdout.trim()).data).toBe('0xdeadbeef')
  })

  it('refuses what is no unsigned transaction as wrong usage', async () => {
    const { did } = createDidCommands()
    const args = ['sign', '-', '--private-key', `0x${'1'.repeat(64)}`]
    const inputs = ['nonsense', '{"to":"0x00","data":"0x"}', '']
    const outcomes = await Promise.all(inputs.map((input) => did(args, input)))
    for (const outcome of outcomes) expect(outcome).toMatchObject({ exitCode: 2, stdout: '' })
  })

  it('takes one thing alone from stdin', async () => {
    const { did } = createDidCommands()
    const input = JSON.stringify(await build('two on stdin'))
    const { exitCode, stderr } = await did(['sign', '-', '--key-file', '-'], input)
    expect(exitCode).toBe(2)
    expect(stderr).toContain('stdin')
  })
})
