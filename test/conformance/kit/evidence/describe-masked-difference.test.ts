import { describe, expect, it } from 'vitest'
import { createMask, describeMaskedDifference } from '#conformance/kit/evidence/exchange-log.ts'

const mask = createMask([
  { value: '493512', isCode: false },
  { value: '493587', isCode: false },
])

describe('a difference that masking hides', () => {
  it.each([
    ['493512', '493587', 'They differ from character 5 on (6 and 6 long)'],
    [
      { offer: { pin: '12' } },
      { offer: { pin: '1' } },
      'They differ at offer.pin from character 2',
    ],
    ['eyJhIjoxfQ.eyJiIjoyfQ.abc', 'eyJhIjoxfQ.eyJiIjoyfQ.abd', 'from character 25 on'],
  ])('is located for %j', (expected, actual, where) => {
    expect(mask(expected)).toEqual(mask(actual))
    const told = describeMaskedDifference(expected, actual, mask)
    expect(told).toContain(where)
    expect(told).not.toMatch(/4935|abc|abd/)
  })

  it.each([
    ['a', 'b'],
    ['493512', '493512'],
    [undefined, '493512'],
  ])('is not claimed for %j and %j', (expected, actual) => {
    expect(describeMaskedDifference(expected, actual, mask)).toBe('')
  })
})
