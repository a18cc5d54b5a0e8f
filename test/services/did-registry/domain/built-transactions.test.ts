import { describe, expect, it } from 'vitest'
import {
  type BuiltTransaction,
  createBuiltTransactions,
} from '#services/did-registry/domain/built-transactions.ts'

const transactionOf = (from: string, changes: Partial<BuiltTransaction> = {}) => ({
  from,
  to: '0xAa',
  data: '0x01',
  nonce: 1n,
  ...changes,
})

describe('createBuiltTransactions', () => {
  it('knows the signer of a transaction in any case of its hex', () => {
    const built = createBuiltTransactions({ lifetime: 10, limit: 10 })
    built.remember(transactionOf('0xF1'), 100)
    expect(built.mayBeSignedBy(transactionOf('0xf1', { to: '0xAA' }), 110)).toBe(true)
    expect(built.mayBeSignedBy(transactionOf('0xf2'), 110)).toBe(false)
    expect(built.mayBeSignedBy(transactionOf('0xf2', { data: '0x02' }), 110)).toBe(true)
    expect(built.mayBeSignedBy(transactionOf('0xf2', { nonce: 2n }), 110)).toBe(true)
  })

  it('forgets a transaction after its lifetime, and the oldest beyond the limit', () => {
    const built = createBuiltTransactions({ lifetime: 10, limit: 2 })
    for (const nonce of [1n, 2n, 3n]) built.remember(transactionOf('0xf1', { nonce }), 100)
    const known = (nonce: bigint, now: number) =>
      !built.mayBeSignedBy(transactionOf('0xf2', { nonce }), now)
    expect([known(1n, 100), known(2n, 100), known(3n, 100)]).toEqual([false, true, true])
    expect([known(3n, 110), known(3n, 111)]).toEqual([true, false])
  })

  it('can be restored to a saved state any number of times', () => {
    const built = createBuiltTransactions({ lifetime: 10, limit: 2 })
    built.remember(transactionOf('0xf1'), 100)
    const saved = built.save()
    const knows = (from: string, nonce = 1n) =>
      built.mayBeSignedBy(transactionOf(from, { nonce }), 100)
    for (const _time of [1, 2]) {
      built.remember(transactionOf('0xf2'), 100)
      built.remember(transactionOf('0xf2', { nonce: 2n }), 100)
      expect([knows('0xf2'), knows('0xf1', 2n)]).toEqual([true, false])
      saved.restore()
      expect([knows('0xf1'), knows('0xf2'), knows('0xf1', 2n)]).toEqual([true, false, true])
    }
  })

  it('replaces the signers of an expired entry', () => {
    const built = createBuiltTransactions({ lifetime: 10, limit: 2 })
    built.remember(transactionOf('0xf1'), 100)
    built.remember(transactionOf('0xf2'), 200)
    expect(built.mayBeSignedBy(transactionOf('0xf1'), 200)).toBe(false)
  })

  it('accepts any signer for a transaction with more signers than it keeps', () => {
    const built = createBuiltTransactions({ lifetime: 10, limit: 2 })
    for (let signer = 1; signer <= 9; signer++) built.remember(transactionOf(`0xf${signer}`), 100)
    expect(built.mayBeSignedBy(transactionOf('0xf1'), 100)).toBe(true)
    built.remember(transactionOf('0xfa'), 100)
    expect(built.mayBeSignedBy(transactionOf('0xf1'), 100)).toBe(true)
    expect(built.mayBeSignedBy(transactionOf('0xff'), 100)).toBe(true)
  })
})
