import { describe, expect, it } from 'vitest'
import { decodeBitstring, encodeBitstring } from '#core/status-list/bitstring.ts'
import { createVerificationCache } from '#core/verification/verification-cache.ts'

describe('createVerificationCache', () => {
  it('unpacks a list once, and again without a cache or with another one', () => {
    const cache = createVerificationCache()
    const text = encodeBitstring(new Uint8Array(16))
    const first = decodeBitstring(text, 'multibase', cache)
    expect(first).toEqual(Buffer.alloc(16))
    expect(decodeBitstring(text, 'multibase', cache)).toBe(first)
    expect(decodeBitstring(text.slice(1), 'base64url', cache)).toBe(first)
    expect(decodeBitstring(text)).not.toBe(first)
    expect(decodeBitstring(text, 'multibase', createVerificationCache())).not.toBe(first)
  })

  it('keeps neither what could not be made nor what throws', () => {
    const { keepBitstring } = createVerificationCache()
    const broken = () => {
      throw new TypeError('broken')
    }
    expect(keepBitstring('a', () => undefined)).toBeUndefined()
    expect(() => keepBitstring('a', broken)).toThrow('broken')
    expect(keepBitstring('a', () => Uint8Array.of(1))).toEqual(Uint8Array.of(1))
    expect(keepBitstring('a', broken)).toEqual(Uint8Array.of(1))
  })

  it('keeps the newest alone', () => {
    const { keepBitstring } = createVerificationCache()
    const keep = (number: number) => keepBitstring(`${number}`, () => Uint8Array.of(number))
    const first = keep(0)
    for (let number = 1; number <= 7; number++) keep(number)
    expect(keep(0)).toBe(first)
    keep(8)
    expect(keep(0)).not.toBe(first)
  })
})
