import { createHash } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { findGuessable, isUneven, mostRepetitions } from '#conformance/plans/issuer/randomness.ts'

/** Values that look random and are the same in every run. */
const digests = (count: number, encoding: 'hex' | 'base64url') =>
  Array.from({ length: count }, (_, index) =>
    createHash('sha256').update(`sample ${index}`).digest(encoding),
  )

const uuids = digests(8, 'hex').map(
  (hex) =>
    `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-a${hex.slice(17, 20)}-${hex.slice(20, 32)}`,
)

describe('values that must be impossible to guess', () => {
  it.each([
    ['32 bytes in base64url', digests(8, 'base64url')],
    ['16 bytes in base64url', digests(8, 'base64url').map((text) => text.slice(0, 22))],
    ['16 bytes in hex', digests(8, 'hex').map((text) => text.slice(0, 32))],
    ['random UUIDs', uuids],
  ])('may be %s', (_, values) => {
    expect(findGuessable('the code', values, 'a test').kind).toBe('held')
  })

  it.each([
    ['a counter', Array.from({ length: 8 }, (_, index) => `offer-of-our-issuer-${1000 + index}`)],
    ['a time', Array.from({ length: 8 }, (_, index) => String(1_767_225_600_000 + 13 * index))],
    ['nine digits', digests(8, 'hex').map((hex) => String(Number.parseInt(hex.slice(0, 7), 16)))],
    [
      'a few random characters',
      digests(8, 'hex').map((hex) => `${'0'.repeat(40)}${hex.slice(0, 8)}`),
    ],
    ['one value twice', [...digests(7, 'hex'), ...digests(1, 'hex')]],
  ])('must not be %s', (_, values) => {
    expect(findGuessable('the code', values, 'a test').kind).toBe('broken')
  })
})

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
