import { describe, expect, it } from 'vitest'
import { planNames } from '#conformance/kit/check.ts'
import { findDependencyDrift, findUnknownAssumptions } from '../../scripts/checks/document-drift.ts'
import { catalogue, findCheckGaps, notFromDocuments } from '../../scripts/checks/find-check-gaps.ts'
import { findFaultGaps, parseCatalogue } from '../../scripts/checks/wallet-faults.ts'

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

const tableOf = (...numbers: string[]) =>
  numbers.map((number) => `| <a id="${number}"></a>${number} | x | y |\n`).join('')
const table = `| no | open point | choice |\n| --- | --- | --- |\n${tableOf('A-01', 'A-02')}`

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
    expect(findUnknownAssumptions(tableOf('A-03', 'A-01'), [])).toHaveLength(1)
    expect(findUnknownAssumptions(tableOf('A-03', 'A-03'), [])).toHaveLength(1)
    expect(findUnknownAssumptions(tableOf('A-01', 'A-03'), [])).toEqual([])
  })
})

const row = '1.verification/row.1'
const sources = { rows: new Set([row]), clauses: new Set(['RFC 6749, 5.2', 'OpenID4VP 1.0, 8.2']) }

const ownCheck = (id: string) => {
  const level = notFromDocuments.includes(id) ? ('final' as const) : ('spec' as const)
  return { id, level, rows: [row], clauses: [...sources.clauses] }
}

interface Change {
  readonly ofV01?: Partial<ReturnType<typeof ownCheck>>
  readonly withoutMutant?: string
}

/** Plans with the required number of checks. */
function createPlans({ ofV01 = {}, withoutMutant }: Change = {}) {
  return planNames.map((plan) => {
    const more = Array.from({ length: 30 }, (_, index) => `X${100 + index}`)
    const ids = [...catalogue[plan], ...more]
    const checks = ids.map((id) => ({ ...ownCheck(id), ...(id === 'V01' && ofV01) }))
    return { plan, checks, mutated: new Set(ids.filter((id) => id !== withoutMutant)) }
  })
}

describe('findCheckGaps', () => {
  it('finds none if rows, clauses and mutants exist', () => {
    expect(findCheckGaps(createPlans(), sources)).toEqual([])
  })

  it.each([
    ['a clause that was not looked up', { clauses: ['RFC 6749, 5.9'] }, /^verifier: V01 .*5\.9/],
    [
      'a specification that was not looked up',
      { clauses: ['OpenID4VCI 1.0, 8.2'] },
      /V01 cites OpenID4VCI/,
    ],
    ['a row that the profile does not have', { rows: ['1.other.1'] }, /V01 .*1\.other\.1/],
  ])('finds %s', (_, ofV01, sentence) => {
    expect(findCheckGaps(createPlans({ ofV01 }), sources)).toEqual([
      expect.stringMatching(sentence),
    ])
  })

  it('finds a clause that no check cites', () => {
    const clauses = new Set([...sources.clauses, 'RFC 6749, 5.1'])
    const gaps = findCheckGaps(createPlans(), { ...sources, clauses })
    expect(gaps).toEqual([expect.stringMatching(/RFC 6749, 5\.1, which no check cites/)])
  })

  it('finds a check without a mutant', () => {
    expect(findCheckGaps(createPlans({ withoutMutant: 'V01' }), sources)).toEqual([
      expect.stringMatching(/^verifier: V01 has no mutant/),
    ])
  })
})

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
