import { describe, expect, it } from 'vitest'
import { findFaultGaps, parseCatalogue } from '../../../scripts/checks/wallet-faults.ts'

const checks = parseCatalogue('# id\ttext\nI01\tmetadata\tnot the wallet\nI26\ta signature\n')

describe('findFaultGaps', () => {
  it('finds no gap if each check has a fault or a reason', () => {
    expect(
      findFaultGaps(checks, [{ name: 'bad-signature', check: 'I26' }], ['bad-signature']),
    ).toEqual([])
  })

  it.each([
    ['a check without either', checks, [], /^I26: has neither a fault nor a reason/],
    [
      'a check with both',
      checks,
      [
        { name: 'a', check: 'I26' },
        { name: 'b', check: 'I01' },
      ],
      /^I01: .* but also a fault that does/,
    ],
    [
      'a duplicate check',
      [...checks, ...checks.slice(0, 1)],
      [{ name: 'a', check: 'I26' }],
      /^I01: .*twice/,
    ],
    [
      'an unknown check',
      checks,
      [
        { name: 'a', check: 'I26' },
        { name: 'b', check: 'I99' },
      ],
      /^b: .*I99/,
    ],
  ])('finds %s', (_, catalogue, faults, sentence) => {
    const names = faults.map(({ name }) => name)
    expect(findFaultGaps(catalogue, faults, names)).toEqual([expect.stringMatching(sentence)])
  })

  it.each([
    [
      'that the wallet does not have',
      [
        { name: 'a', check: 'I26' },
        { name: 'b', check: 'I26' },
      ],
      ['a'],
      /^b: .* no such fault/,
    ],
    [
      'that is in the catalogue twice',
      [
        { name: 'a', check: 'I26' },
        { name: 'a', check: 'I26' },
      ],
      ['a'],
      /^a: .* twice/,
    ],
  ])('finds a fault %s', (_, catalogued, names, sentence) => {
    expect(findFaultGaps(checks, catalogued, names)).toEqual([expect.stringMatching(sentence)])
  })
})
