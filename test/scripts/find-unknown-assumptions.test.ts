import { describe, expect, it } from 'vitest'
import { findUnknownAssumptions } from '../../scripts/checks/document-drift.ts'

const table =
  '| no | open point | choice |\n| --- | --- | --- |\n| A-01 | x | y |\n| A-02 | x | y |\n'

describe('findUnknownAssumptions', () => {
  it('passes if the table lists what the code names', () => {
    const text = '/** @assumption A-01 A-02 */\n// @assumption A-02 with words'
    expect(findUnknownAssumptions(table, [{ file: 'a.ts', text }])).toEqual([])
  })

  it('names numbers that are not in the table, several on one line included', () => {
    const text = '/** @assumption A-01, A-09 and A-10 */'
    expect(findUnknownAssumptions(table, [{ file: 'a.ts', text }])).toEqual([
      expect.stringContaining('a.ts names A-09'),
      expect.stringContaining('a.ts names A-10'),
    ])
  })

  it('names a number out of order or listed twice', () => {
    expect(findUnknownAssumptions('| A-03 | x | y |\n| A-01 | x | y |\n', [])).toHaveLength(1)
    expect(findUnknownAssumptions('| A-03 | x | y |\n| A-03 | x | y |\n', [])).toHaveLength(1)
    expect(findUnknownAssumptions('| A-01 | x | y |\n| A-03 | x | y |\n', [])).toEqual([])
  })
})
