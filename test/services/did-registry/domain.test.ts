import { describe, expect, it } from 'vitest'
import { parseBaseDocument } from '#services/did-registry/domain/base-document.ts'
import {
  type BuiltTransaction,
  createBuiltTransactions,
} from '#services/did-registry/domain/built-transactions.ts'
import { parseJwkObject } from '#services/did-registry/domain/public-keys.ts'
import { chooseMediaType } from '#services/did-registry/domain/resolution-options.ts'

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

const ld = 'application/did+ld+json'
const plain = 'application/did+json'

// @row 2.errors/did-registry.6
describe('chooseMediaType', () => {
  it.each([
    [undefined, ld],
    ['', ld],
    ['*/*', ld],
    ['application/*', ld],
    [ld, ld],
    [plain, plain],
    ['APPLICATION/DID+JSON', plain],
    [`${plain}, ${ld}`, ld],
    [`${ld};q=0.5, ${plain}`, plain],
    [`${ld};q=0, */*`, plain],
    [`${plain};q=0, application/*;q=0.1`, ld],
    [`text/html, ${plain};q=0.001`, plain],
    [`${plain}; charset=utf-8`, plain],
    [`${ld};profile="https://www.w3.org/ns/did";q=1.000`, ld],
    ['text/html', undefined],
    ['application/json', undefined],
    ['application/ld+json', undefined],
    [`${ld};q=0`, undefined],
    ['*/*;q=0', undefined],
    [`${ld};q=2`, undefined],
    [`${ld};q=x`, undefined],
    [`text/html;a="${plain}, ${ld}, "`, undefined],
    [`text/html;a="\\", ${plain}", ${ld};q=0.1`, ld],
    ['application/*;q=0.2, */*;q=0.9', ld],
    [`${ld};Q=0.1, ${plain};q=0.2`, plain],
    [`*/*;q=0.1, ${plain};q=0`, ld],
    ['nonsense', undefined],
    [',;,', undefined],
  ])('answers %o with %o', (accept, expected) => {
    expect(chooseMediaType(accept)).toBe(expected)
  })
})

const nested = (levels: number) => '['.repeat(levels) + ']'.repeat(levels)

// Anyone may write it to the chain, and JSON.stringify would exhaust the stack.
describe('data with thousands of levels', () => {
  it('is not accepted as a base document', () => {
    expect(parseBaseDocument(`{"@context":[{"a":${nested(5000)}}]}`)).toBeUndefined()
    expect(parseBaseDocument(`{"@context":[{"a":${nested(20)}}]}`)).toHaveLength(1)
  })

  it('is not accepted as a JWK', () => {
    const jwk = (levels: number) => Buffer.from(`{"kty":"EC","a":${nested(levels)}}`)
    expect(parseJwkObject(jwk(6000)).ok).toBe(false)
    expect(parseJwkObject(jwk(20)).ok).toBe(true)
  })
})
