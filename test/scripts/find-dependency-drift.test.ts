import { describe, expect, it } from 'vitest'
import { findDependencyDrift } from '../../scripts/checks/document-drift.ts'

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
