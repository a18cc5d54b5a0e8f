import { createHash } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { findGuessable } from '#conformance/kit/guessable-values.ts'
import { findWeak } from '#conformance/plans/verifier/guessable-values.ts'

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
    expect(findGuessable('the code', values).kind).toBe('held')
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
    expect(findGuessable('the code', values).kind).toBe('broken')
  })
})

describe('nonces and states of a verifier', () => {
  it.each([
    ['16 bytes in base64url', digests(20, 'base64url').map((text) => text.slice(0, 22))],
    ['random UUIDs', uuids],
    ['missing, as a state may be', []],
  ])('may be %s', (_, values) => {
    expect(findWeak('state', values)).toBeUndefined()
  })

  it.each([
    ['96 random bits', digests(20, 'base64url').map((text) => text.slice(0, 16))],
    ['18 random characters', digests(20, 'base64url').map((text) => `abcd${text.slice(0, 18)}`)],
    ['one value twice', [...digests(7, 'hex'), ...digests(1, 'hex')]],
  ])('must not be %s', (_, values) => {
    expect(findWeak('state', values)?.kind).toBe('broken')
  })

  it('cannot be compared unless they are strings', () => {
    expect(findWeak('state', [...uuids, 1])?.kind).toBe('inconclusive')
  })
})
