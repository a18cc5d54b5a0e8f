import { describe, expect, it } from 'vitest'
import { findDependencyDrift, findUnknownAssumptions } from '../../scripts/checks/document-drift.ts'

const manifest = { dependencies: { express: '5.3.0' }, devDependencies: { '@scope/x': '1.0.0' } }

describe('findDependencyDrift', () => {
  it('accepts one line with a reason for each dependency', () => {
    const document = '# Dependencies\n\n- `express`: HTTP.\n- `@scope/x`: tests.\n'
    expect(findDependencyDrift(manifest, document)).toEqual([])
  })

  it('reports missing reasons, obsolete entries and duplicates', () => {
    const document =
      '- `express`: HTTP.\n- `express`: again.\n- `gone`: was useful.\n- `@scope/x`\n'
    expect(findDependencyDrift(manifest, document)).toEqual([
      expect.stringMatching(/^@scope\/x is in package\.json/),
      expect.stringMatching(/^gone is in docs\/dependencies\.md but not in package\.json/),
      expect.stringMatching(/^express is .* twice$/),
    ])
  })
})

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
