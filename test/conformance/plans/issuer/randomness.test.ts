import { describe, expect, it } from 'vitest'
import { isUneven, mostRepetitions } from '#conformance/plans/issuer/randomness.ts'

describe('the bounds of random PINs', () => {
  // Poisson distribution: with 276 pairs and a million PINs, 0.000276 equal pairs are expected.
  it.each([
    [24, 1_000_000, 2],
    [24, 10_000, 4],
    [24, 100_000_000, 1],
  ])('allow for %i PINs of %i kinds up to %i repetitions', (samples, kinds, most) => {
    expect(mostRepetitions(samples, kinds)).toBe(most)
  })

  it('accept evenly distributed digits', () => {
    expect(isUneven('0123456789'.repeat(14))).toBe(false)
  })

  it.each([
    ['half of the digits', '01234'.repeat(28)],
    ['one digit', '7'.repeat(140)],
  ])('reject %s', (_, digits) => {
    expect(isUneven(digits)).toBe(true)
  })
})
