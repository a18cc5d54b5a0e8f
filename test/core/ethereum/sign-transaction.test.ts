import { Signature, Transaction, Wallet } from 'ethers'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { signTransaction } from '#core/ethereum/transaction.ts'

const bytes = (length: { minLength: number; maxLength: number }) =>
  fc.uint8Array(length).map((array) => `0x${Buffer.from(array).toString('hex')}`)
const quantity = fc.bigInt({ min: 0n, max: 2n ** 40n }).map((value) => `0x${value.toString(16)}`)
const accounts = bytes({ minLength: 32, maxLength: 32 })
  .filter((key) => BigInt(key) > 0n)
  .map((key) => new Wallet(key))

describe('signTransaction', () => {
  it('signs as ethers does, bit for bit', async () => {
    await fc.assert(
      fc.asyncProperty(
        accounts,
        fc.record({
          to: bytes({ minLength: 20, maxLength: 20 }),
          data: bytes({ minLength: 0, maxLength: 200 }),
          nonce: fc.nat().map((value) => `0x${value.toString(16)}`),
          gasLimit: quantity,
          gasPrice: quantity,
          value: quantity,
        }),
        async (account, transaction) => {
          const unsigned = { ...transaction, from: account.address, chainId: '0x4f25' }
          const signed = signTransaction(unsigned, account.privateKey)
          const { to, data, gasLimit, gasPrice, value } = transaction
          const raw = await account.signTransaction({
            ...{ type: 0, to: to.toLowerCase(), data, gasLimit, gasPrice, value },
            nonce: Number(transaction.nonce),
            chainId: 0x4f25,
          })
          expect(signed.raw).toBe(raw)
          const { signature } = Transaction.from(raw)
          const { r, s, yParity } = signature ?? new Signature(null as never, '', '', 27)
          expect(signed).toMatchObject({ r, s, v: `0x${(27 + yParity).toString(16)}` })
        },
      ),
      { numRuns: 50 },
    )
  })

  it('refuses a key that is not that of from', () => {
    const [one, other] = [Wallet.createRandom(), Wallet.createRandom()]
    const unsigned = {
      from: other.address,
      to: one.address,
      data: '0x',
      nonce: '0x0',
      chainId: '0x1',
      gasLimit: '0x1',
      gasPrice: '0x0',
      value: '0x0',
    }
    expect(() => signTransaction(unsigned, one.privateKey)).toThrow(
      expect.objectContaining({ code: 'wrong_signer' }),
    )
  })
})
