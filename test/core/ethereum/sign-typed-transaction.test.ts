import { Transaction } from 'ethers'
import { describe, expect, it } from 'vitest'
import { signTypedTransaction } from '#core/ethereum/transaction.ts'
import { createDidKey } from '#test/support/create-did-key.ts'

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
