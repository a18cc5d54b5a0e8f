import { describe, expect, it } from 'vitest'
import type { Annotation } from '../../../scripts/coverage/annotations.ts'
import {
  createCoverageDocument,
  findCoverageGaps,
  parseExemptions,
} from '../../../scripts/coverage/coverage.ts'

const statements = [
  { id: '1.limits.1', page: 'issuer', text: 'One' },
  { id: '2.limits.1', page: 'tir', text: 'Up to | 10' },
  { id: '2.limits.2', page: 'tir', text: 'More is open.' },
]
const exempt = parseExemptions('# remark\n2.limits.2\tleft open\n')

const annotation = (side: Annotation['side'], ...ids: string[]): Annotation => ({
  side,
  file: side === 'code' ? 'core/limit.ts' : 'test/core/limit.test.ts',
  line: 3,
  label: side === 'code' ? 'readLimit' : 'refuses <11',
  rows: ids,
})

const full = [annotation('code', '2.limits.1'), annotation('test', '2.limits.1')]
const gaps = (annotations: readonly Annotation[], completeParts = ['2']) =>
  findCoverageGaps({ statements, exempt, annotations, completeParts })

describe('findCoverageGaps', () => {
  it('accepts a complete part if each rule has code and test', () => {
    expect(gaps(full)).toEqual([])
  })

  it('names a rule without code, and one without test', () => {
    expect(gaps([annotation('test', '2.limits.1')])).toEqual([
      expect.stringContaining('2.limits.1 is named by no code'),
    ])
    expect(gaps([annotation('code', '2.limits.1')])).toEqual([
      expect.stringContaining('2.limits.1 is named by no test'),
    ])
  })

  it('ignores incomplete parts, except for the listed sections', () => {
    expect(gaps([], [])).toEqual([])
    expect(gaps(full, ['2', '1.limits'])).toHaveLength(2)
    expect(gaps(full, ['2.lim'])).toEqual([expect.stringContaining('2.lim ')])
  })

  it('names an unknown id, also in an incomplete part', () => {
    expect(gaps([...full, annotation('test', '1.limits.7')])).toEqual([
      'test/core/limit.test.ts:3: the profile has no statement 1.limits.7',
    ])
  })

  it('does not check exempt statements, and rejects exemptions without statement or reason', () => {
    expect(gaps([...full, annotation('code', '2.limits.2')])).toEqual([])
    const bad = parseExemptions('2.limits.2\t\n2.limits.9\twhy\n')
    expect(
      findCoverageGaps({ statements, exempt: bad, annotations: full, completeParts: [] }),
    ).toHaveLength(2)
  })
})

describe('createCoverageDocument', () => {
  const lines = createCoverageDocument({
    statements,
    exempt,
    annotations: full,
    completeParts: ['2'],
  }).split('\n')

  it('links a statement to its paragraph, its code and its test', () => {
    expect(lines).toContain(
      '| [2.limits.1](profile/tir.md#2.limits.1) | Up to \\| 10 | [readLimit](../core/limit.ts) | [limit.test.ts](../test/core/limit.test.ts): refuses &lt;11 |',
    )
  })

  it('prints an exempt statement as such, and an empty one as empty', () => {
    expect(lines).toContain(
      '| [2.limits.2](profile/tir.md#2.limits.2) | More is open. | states no rule: left open |  |',
    )
    expect(lines).toContain('| [1.limits.1](profile/issuer.md#1.limits.1) | One |  |  |')
  })

  it('shows the code of an exempt statement', () => {
    const annotations = [annotation('code', '2.limits.2')]
    const document = createCoverageDocument({ statements, exempt, annotations, completeParts: [] })
    expect(document).toContain('states no rule: left open<br>[readLimit](../core/limit.ts) |  |')
  })

  it('counts the rules that have both', () => {
    expect(lines.filter((line) => /^\d+ statements/.test(line))).toEqual([
      expect.stringMatching(/^1 statements, 0 .* 0 of the 1 .*not yet complete/),
      expect.stringMatching(/^2 statements, 1 .* 1 of the 1 .*complete, and kept complete/),
    ])
  })
})
