import { describe, expect, it } from 'vitest'
import { findFaultGaps } from '../../../scripts/wallet-faults/find-fault-gaps.ts'
import { parseCatalogue } from '../../../scripts/wallet-faults/parse-catalogue.ts'

const checks = parseCatalogue('# id\ttext\nI01\tmetadata\tnot the wallet\nI26\ta signature\n')

describe('findFaultGaps', () => {
  it('finds none where each check has a fault or a reason', () => {
    expect(findFaultGaps(checks, [{ name: 'bad-signature', check: 'I26' }])).toEqual([])
  })

  it.each([
    ['a check without either', checks, [], /^I26: no fault/],
    [
      'a check with both',
      checks,
      [
        { name: 'a', check: 'I26' },
        { name: 'b', check: 'I01' },
      ],
      /^I01: .* and a fault that does/,
    ],
    [
      'a check that is there twice',
      [...checks, ...checks.slice(0, 1)],
      [{ name: 'a', check: 'I26' }],
      /^I01: .*twice/,
    ],
    [
      'a check that nobody knows',
      checks,
      [
        { name: 'a', check: 'I26' },
        { name: 'b', check: 'I99' },
      ],
      /^b: .*I99/,
    ],
  ])('finds %s', (_, catalogue, faults, sentence) => {
    expect(findFaultGaps(catalogue, faults)).toEqual([expect.stringMatching(sentence)])
  })
})
