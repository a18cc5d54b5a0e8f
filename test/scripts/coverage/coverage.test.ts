import { describe, expect, it } from 'vitest'
import {
  type Annotation,
  collectSolidityAnnotations,
  collectTypeScriptAnnotations,
} from '../../../scripts/coverage/annotations.ts'
import {
  createCoverageDocument,
  findCoverageGaps,
  parseExemptions,
} from '../../../scripts/coverage/coverage.ts'

const collect = (file: string, text: string) => collectTypeScriptAnnotations({ file, text })

describe('collectTypeScriptAnnotations, in code', () => {
  it('names a route by method and path, and expands ranges', () => {
    const text = `import { z } from 'zod'
/**
 * Reads it.
 *
 * @row 2.endpoints/tir.2 2.errors/tir.1..2
 */
export const readIt = defineRoute<X>()({ method: 'get', path: '/v1/issuers/:did', handle() {} })
`
    expect(collect('services/tir/routes/read-it.ts', text)).toEqual({
      annotations: [
        {
          side: 'code',
          file: 'services/tir/routes/read-it.ts',
          line: 5,
          label: 'GET /v1/issuers/:did',
          rows: ['2.endpoints/tir.2', '2.errors/tir.1', '2.errors/tir.2'],
        },
      ],
      problems: [],
    })
  })

  it('names an endpoint below /contract/ by its path', () => {
    const text = `/** @row 2.limits.1 */
export const addController = defineContractRoute({ operation: 'addController', body: z.object({}) })`
    const [annotation] = collect('services/did-registry/routes/a.ts', text).annotations
    expect(annotation?.label).toBe('POST /api/v1/contract/addController')
  })

  it('names the declaration around a member that is annotated', () => {
    const text = `export async function first() {}
/** A part. */
export interface Second {
  /** @row 2.limits.1 */
  readonly one: string
}
/** @row 2.limits.2 */
export function third() {}
const fourth = {
  /** @row 2.limits.3 */
  path: 'x',
}`
    const labels = collect('core/a.ts', text).annotations.map(({ label, rows }) => [label, ...rows])
    expect(labels).toEqual([
      ['Second', '2.limits.1'],
      ['third', '2.limits.2'],
      ['fourth', '2.limits.3'],
    ])
  })

  it('ignores strings', () => {
    const text = `const text = \`
/** @row 2.limits.1 */
\`
const other = '// @row 2.limits.2'`
    expect(collect('core/a.ts', text)).toEqual({ annotations: [], problems: [] })
  })

  it('reports invalid ids, reversed ranges, and comments without a declaration', () => {
    const text = `/** @row 2.limits.1 limits 2.limits.5..3 */
export const one = 1
// @row 2.limits.1
one()`
    expect(collect('core/a.ts', text).problems).toEqual([
      expect.stringContaining('core/a.ts:1: limits '),
      expect.stringContaining('core/a.ts:1: 2.limits.5..3 '),
      expect.stringContaining('core/a.ts:3: '),
    ])
  })
})

describe('collectTypeScriptAnnotations, in tests', () => {
  it('reads the titles of tests, tables of tests and groups, nested in their groups', () => {
    const text = `// @row 2.limits.1
// @row 2.limits.2
describe('a group', () => {
  // @row 2.limits.3
  it('a test', () => {})
  // A remark between.
  // @row 2.limits.4
  it.each([1, 2])('a table: %i', () => {})
  for (const name of names) {
    // @row 2.limits.5
    it(\`of \${name}\`, () => {})
  }
})`
    const { annotations, problems } = collect('test/a.test.ts', text)
    expect(problems).toEqual([])
    expect(annotations.map(({ side, label, rows }) => [side, label, ...rows])).toEqual([
      ['test', 'a group', '2.limits.1'],
      ['test', 'a group', '2.limits.2'],
      ['test', 'a group › a test', '2.limits.3'],
      ['test', 'a group › a table: %i', '2.limits.4'],
      // biome-ignore lint/suspicious/noTemplateCurlyInString: the title as the source has it
      ['test', 'a group › of ${name}', '2.limits.5'],
    ])
  })

  it('does not count if the next statement is not a test', () => {
    const text = `// @row 2.limits.1
const helper = 1
// @row 2.limits.2
beforeAll(() => {})`
    expect(collect('test/support/a.ts', text)).toEqual({
      annotations: [],
      problems: [
        expect.stringContaining('test/support/a.ts:1:'),
        expect.stringContaining('test/support/a.ts:3:'),
      ],
    })
  })

  it('reads the title of a scenario', () => {
    const text = `// @row 1.limits.1
export const scenario = defineScenario({ id: 'a/b', title: 'It works', async run() {} })`
    expect(collect('scenarios/suites/a/b.ts', text).annotations).toEqual([
      expect.objectContaining({ side: 'test', label: 'It works', rows: ['1.limits.1'] }),
    ])
  })
})

describe('collectSolidityAnnotations', () => {
  it('names contract and function, event or error below the NatSpec', () => {
    const text = `interface IRegistry {
    /// @notice Added.
    /// @custom:row 2.events.1
    /// @param did Whose.
    event Added(string did);

    /**
     * @notice Adds.
     * @custom:row 2.limits.1..2 2.limits.4
     */
    function add(string calldata did) external;
}
/// @custom:row 2.limits.5
contract Registry is IRegistry {`
    const { annotations, problems } = collectSolidityAnnotations({ file: 'contracts/R.sol', text })
    expect(problems).toEqual([])
    expect(annotations).toEqual([
      {
        side: 'code',
        file: 'contracts/R.sol',
        line: 3,
        label: 'IRegistry.Added',
        rows: ['2.events.1'],
      },
      {
        side: 'code',
        file: 'contracts/R.sol',
        line: 9,
        label: 'IRegistry.add',
        rows: ['2.limits.1', '2.limits.2', '2.limits.4'],
      },
      { side: 'code', file: 'contracts/R.sol', line: 13, label: 'Registry', rows: ['2.limits.5'] },
    ])
  })

  it('counts functions of .t.sol files as tests', () => {
    const text = `contract RegistryTest {
    // @row 2.limits.1
    function invariant_neverEmpty() public {}
    // @row 2.limits.2 nonsense
    uint256 private count;
}`
    expect(collectSolidityAnnotations({ file: 'contracts/R.t.sol', text })).toEqual({
      annotations: [
        expect.objectContaining({ side: 'test', label: 'RegistryTest.invariant_neverEmpty' }),
      ],
      problems: [
        expect.stringContaining('contracts/R.t.sol:4: nonsense'),
        expect.stringContaining('contracts/R.t.sol:4: is not above a'),
      ],
    })
  })
})

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
