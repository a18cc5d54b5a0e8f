import { concat, Signature, Transaction, toBeHex, Wallet, zeroPadValue } from 'ethers'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  parseSignedTransaction,
  signTransaction,
  signTypedTransaction,
} from '#core/ethereum/transaction.ts'
import { createDidKey } from '#test/support/create-did-key.ts'

const { wallet, address } = createDidKey('signer')
const order = 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141n
const common = {
  to: '0x5FbDB2315678afecb367f032d93F642f64180aa3',
  data: '0xABCD',
  nonce: 7,
  chainId: 20261,
  gasLimit: 50_000,
  value: 3,
}

/** EIP-155's own example: the transaction and the key of its section "Example". */
const eip155Example =
  '0xf86c098504a817c800825208943535353535353535353535353535353535353535880de0b6b3a76400008025a028ef61340bd939bc2195fe537567866003e1a15d3c71ff63e1590620aa636276a067cbe9d8997f761aecb703304b3800ccf555c9f3dc64214b297fb1966a3b6d83'

describe('parseSignedTransaction', () => {
  it.each([
    ['legacy', { ...common, type: 0, gasPrice: 5 }],
    ['eip2930', { ...common, type: 1, gasPrice: 5 }],
    ['eip1559', { ...common, type: 2, maxFeePerGas: 5, maxPriorityFeePerGas: 1 }],
  ])('reads what ethers signed as %s', async (type, transaction) => {
    const raw = await wallet.signTransaction(transaction)
    const { signature, hash } = Transaction.from(raw)
    expect(parseSignedTransaction(raw)).toEqual({
      ok: true,
      transaction: {
        type,
        hash,
        from: address,
        to: common.to,
        data: '0xabcd',
        nonce: 7n,
        chainId: 20261n,
        gasLimit: 50_000n,
        maxFeePerGas: 5n,
        value: 3n,
        hasAccessList: false,
        r: BigInt(signature?.r ?? 0),
        s: BigInt(signature?.s ?? 0),
        yParity: signature?.yParity,
      },
    })
  })

  it('reads the example of EIP-155', () => {
    const result = parseSignedTransaction(eip155Example)
    expect(result).toMatchObject({
      ok: true,
      transaction: {
        from: '0x9d8A62f656a8d1615C1294fd71e9CFb3E4855A4F',
        nonce: 9n,
        chainId: 1n,
        value: 10n ** 18n,
      },
    })
  })

  it('tells a transaction without a chain, one without a contract, and an access list', async () => {
    const unprotected = Transaction.from({ ...common, chainId: 0, type: 0, gasPrice: 0 })
    unprotected.signature = wallet.signingKey.sign(unprotected.unsignedHash)
    const accessList = [{ address: common.to, storageKeys: [] }]
    const creation = { ...common, type: 1, gasPrice: 0, to: null, accessList }
    expect(parseSignedTransaction(unprotected.serialized)).toMatchObject({
      ok: true,
      transaction: { from: address, chainId: undefined, hasAccessList: false },
    })
    expect(parseSignedTransaction(await wallet.signTransaction(creation))).toMatchObject({
      ok: true,
      transaction: { to: undefined, hasAccessList: true },
    })
  })

  it('refuses a high s, as the chain does since EIP-2', async () => {
    const raw = await wallet.signTransaction({ ...common, type: 2, maxFeePerGas: 0 })
    const s = Transaction.from(raw).signature?.s ?? '0x'
    const highS = zeroPadValue(toBeHex(order - BigInt(s)), 32)
    const result = parseSignedTransaction(raw.replace(s.slice(2), highS.slice(2)))
    expect(result).toEqual({ ok: false, reason: 'invalid_signature' })
  })

  it.each([
    '',
    '0x',
    'zz',
    '0x1',
    '0x02',
    '0x02c0',
    '0xc0',
    '0x04c0',
    `0x${'00'.repeat(300)}`,
    `0x${'ff'.repeat(300)}`,
    concat(['0x02', eip155Example]),
    eip155Example.slice(2),
    eip155Example.slice(0, -2),
    `${eip155Example}00`,
  ])('finds %s undecodable', (raw) => {
    expect(parseSignedTransaction(raw)).toEqual({ ok: false, reason: 'undecodable' })
  })
})

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

const key = createDidKey('typed transactions')
const unsigned = {
  to: '0x2222222222222222222222222222222222222222',
  data: '0xabcdef',
  gasLimit: '0x5208',
  gasPrice: '0x7',
  chainId: '0x4f25',
  nonce: '0x3',
  value: '0x0',
  from: key.address,
}

describe('a typed transaction', () => {
  it.each([1, 2] as const)('of type %i is read by another library as it was meant', (type) => {
    const { raw, r, s, v } = signTypedTransaction(unsigned, type, key.wallet.privateKey)
    const read = Transaction.from(raw)
    expect(read).toMatchObject({ type, from: key.address, to: unsigned.to, data: unsigned.data })
    expect([read.nonce, read.gasLimit, read.chainId]).toEqual([3, 0x5208n, 0x4f25n])
    const fees = [read.gasPrice, read.maxFeePerGas, read.maxPriorityFeePerGas]
    expect(fees).toEqual(type === 1 ? [7n, null, null] : [null, 7n, 7n])
    expect({ r, s, v }).toEqual({
      r: read.signature?.r,
      s: read.signature?.s,
      v: `0x${read.signature?.yParity}`,
    })
  })
})
