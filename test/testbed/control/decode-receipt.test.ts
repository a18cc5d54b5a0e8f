import { describe, expect, it } from 'vitest'
import { decodeReceipt } from '#testbed/control/routes/transactions.ts'

const addresses = {
  didRegistryAddress: `0x${'1'.repeat(40)}`,
  tirAddress: `0x${'2'.repeat(40)}`,
}
const receiptWith = (revertReason: string) => ({
  transactionHash: `0x${'3'.repeat(64)}`,
  blockNumber: '0x1',
  status: '0x0',
  logs: [],
  revertReason,
})

describe('decodeReceipt', () => {
  // Solidity, Panic via assert: Panic(uint256) has the selector 0x4e487b71.
  it('names an error', () => {
    const { revertReason } = decodeReceipt(
      receiptWith(`0x4e487b71${'11'.padStart(64, '0')}`) as never,
      addresses,
    )
    expect(revertReason).toMatchObject({ name: 'Panic', args: '17' })
  })

  it.each(['0x', '0x12', '0x12345678', '0x08c379a0', `0x4e487b71${'0'.repeat(10)}`])(
    'names none where a contract reverted with %s',
    (data) => {
      const { revertReason } = decodeReceipt(receiptWith(data) as never, addresses)
      expect(revertReason).toEqual({ name: 'unknown', data })
    },
  )
})
