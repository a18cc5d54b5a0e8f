import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { describe, expect, it } from 'vitest'
import { statements } from '#core/profile/statements.ts'
import { scenarioAlgorithms } from '#scenarios/harness/define-scenario.ts'
import {
  loadScenarios,
  partitionRuns,
  type SelectScenariosOptions,
  selectScenarios,
} from '#scenarios/harness/select-scenarios.ts'
import { createScenario } from '#test/support/results.ts'
import { createTemporaryFolder } from '#test/support/temporary-folder.ts'

const scenarios = ['login/success', 'issuance/representative', 'issuance/employee'].map((id) =>
  createScenario({ id, algorithms: scenarioAlgorithms }),
)

const scenarioIdsOf = (options?: SelectScenariosOptions) =>
  selectScenarios(scenarios, options).map(({ id }) => id)

describe('selectScenarios', () => {
  it('expands each scenario by algorithm, in the order of the ids', () => {
    expect(scenarioIdsOf()).toEqual([
      'issuance/employee/ES256K',
      'issuance/employee/EdDSA',
      'issuance/representative/ES256K',
      'issuance/representative/EdDSA',
      'login/success/ES256K',
      'login/success/EdDSA',
    ])
  })

  it('accepts a regular expression on suite/name', () => {
    expect(scenarioIdsOf({ pattern: '^issuance/.*ee$' })).toEqual([
      'issuance/employee/ES256K',
      'issuance/employee/EdDSA',
    ])
  })

  it('accepts a regular expression with the algorithm, as in reports', () => {
    expect(scenarioIdsOf({ pattern: '^login/success/EdDSA$' })).toEqual(['login/success/EdDSA'])
  })

  it('splits into shards that together contain each scenario once', () => {
    const parts = ['1/4', '2/4', '3/4', '4/4'].map((shard) => scenarioIdsOf({ shard }))
    expect(parts.flat().sort()).toEqual(scenarioIdsOf().sort())
    expect(parts.map((part) => part.length)).toEqual([2, 2, 1, 1])
  })

  it.each(['0/2', '3/2', '1', 'a/b', '1/2/3', '-1/2'])('rejects the shard %s', (shard) => {
    expect(() => scenarioIdsOf({ shard })).toThrow(
      expect.objectContaining({ code: 'invalid_option' }),
    )
  })

  it('rejects an invalid regular expression', () => {
    expect(() => scenarioIdsOf({ pattern: '(' })).toThrow(
      expect.objectContaining({ code: 'invalid_option' }),
    )
  })
})

function createSuites(files: Readonly<Record<string, string>>): string {
  const folder = createTemporaryFolder()
  mkdirSync(join(folder, 'suite'))
  for (const [name, content] of Object.entries(files)) writeFileSync(join(folder, name), content)
  return folder
}

describe('loadScenarios', () => {
  it('finds one scenario in each file of a suite, and ignores other files', async () => {
    const folder = createSuites({
      'suite/b.js': "export const scenario = { id: 'suite/b' }",
      'suite/a.ts': "export const scenario: { id: string } = { id: 'suite/a' }",
      'suite/a.d.ts': 'export {}',
      'suite/README.md': '',
      'helper.ts': 'export {}',
    })
    expect((await loadScenarios(folder)).map(({ id }) => id)).toEqual(['suite/a', 'suite/b'])
  })

  it('names the file of each, relative to the working directory', async () => {
    const folder = createSuites({ 'suite/a.js': "export const scenario = { id: 'suite/a' }" })
    const [found] = await loadScenarios(folder)
    expect(resolve(found?.file ?? '')).toBe(join(folder, 'suite/a.js'))
    const [included] = await loadScenarios()
    expect(included?.file).toMatch(/^scenarios\/suites\//)
  })

  it('rejects a scenario whose id does not match its path', async () => {
    const folder = createSuites({ 'suite/a.js': "export const scenario = { id: 'suite/b' }" })
    await expect(loadScenarios(folder)).rejects.toThrow(TypeError)
  })

  it('rejects a file without a scenario', async () => {
    await expect(loadScenarios(createSuites({ 'suite/a.js': 'export {}' }))).rejects.toThrow(
      TypeError,
    )
  })

  it('finds several scenarios in one file', async () => {
    const family = "export const scenarios = [{ id: 'suite/a-one' }, { id: 'suite/a-two' }]"
    const found = await loadScenarios(createSuites({ 'suite/a.js': family }))
    expect(found.map(({ id }) => id)).toEqual(['suite/a-one', 'suite/a-two'])
  })

  it('rejects two files with a scenario of the same id', async () => {
    const folder = createSuites({
      'suite/a.js': "export const scenario = { id: 'suite/a' }",
      'suite/b.js': "export const scenarios = [{ id: 'suite/a' }]",
    })
    await expect(loadScenarios(folder)).rejects.toThrow('suite/a')
  })

  it.each([
    ['none', '[]'],
    ['one of another suite', "[{ id: 'suite/a-one' }, { id: 'other/a-two' }]"],
    ['two of the same id', "[{ id: 'suite/a-one' }, { id: 'suite/a-one' }]"],
  ])('rejects a family with %s', async (_, family) => {
    const folder = createSuites({ 'suite/a.js': `export const scenarios = ${family}` })
    await expect(loadScenarios(folder)).rejects.toThrow(TypeError)
  })
})

const named = (kind: string, count: number, overrides = {}) =>
  Array.from({ length: count }, (_, index) =>
    createScenario({ id: `suite/${kind}-${index}`, ...overrides }),
  )
const idsOf = (parts: ReturnType<typeof partitionRuns>) =>
  parts.map((part) => part.map(({ id }) => id))

describe('partitionRuns', () => {
  it('assigns each worker about the same amount of work, and each scenario once', () => {
    const runs = selectScenarios([
      ...named('plain', 30),
      ...named('alone', 10, { exclusive: true }),
      ...named('page', 1, { usesBrowser: true }),
    ])
    const parts = partitionRuns(runs, 2)
    expect(
      parts
        .flat()
        .map(({ id }) => id)
        .sort(),
    ).toEqual(runs.map(({ id }) => id))
    const [first = [], second = []] = parts
    const weight = (part: typeof first) =>
      part.reduce((sum, { scenario: { exclusive, usesBrowser } }) => {
        return sum + (usesBrowser ? 14 : exclusive ? 2 : 1)
      }, 0)
    expect(Math.abs(weight(first) - weight(second))).toBeLessThanOrEqual(2)
  })

  it('keeps scenarios with a real browser together', () => {
    const runs = selectScenarios([...named('page', 3, { usesBrowser: true }), ...named('z', 3)])
    const [first = [], second = []] = idsOf(partitionRuns(runs, 2))
    expect(first.filter((id) => id.includes('page'))).toHaveLength(3)
    expect(second).toHaveLength(3)
  })

  it('distributes them the same way each time, and omits workers without any', () => {
    const runs = selectScenarios(named('plain', 3))
    expect(idsOf(partitionRuns(runs, 2))).toEqual(idsOf(partitionRuns(runs, 2)))
    expect(partitionRuns(runs, 8)).toHaveLength(3)
    expect(partitionRuns([], 2)).toEqual([])
  })
})

describe('defineScenario', () => {
  it('accepts a scenario with a description and a reference', () => {
    expect(createScenario({ id: 'issuance/employee-by-mail' }).id).toBe('issuance/employee-by-mail')
  })

  it.each([
    ['an id without suite', { id: 'representative' }],
    ['an id in another case', { id: 'issuance/Representative' }],
    ['an id with a third part', { id: 'issuance/a/b' }],
    ['no title', { title: ' ' }],
    ['no description', { description: '' }],
    ['no category', { category: '' }],
    ['no reference', { references: [] }],
    ['no algorithm', { algorithms: [] }],
    ['without an id, in JavaScript', { id: undefined }],
    ['without a title, in JavaScript', { title: undefined }],
    ['without references, in JavaScript', { references: undefined }],
    ['without run, in JavaScript', { run: undefined }],
    ['an unknown algorithm, in JavaScript', { algorithms: ['RS256'] }],
  ])('rejects %s', (_, overrides) => {
    expect(() => createScenario(overrides as object)).toThrow(
      /^\S+: (an id is|the \w+ (is|are) missing|run is missing|unknown algorithm RS256;)/,
    )
  })
})

describe('the references of the scenarios', async () => {
  const repository = join(import.meta.dirname, '../../..')

  /** Ids of statements (`1.errors.2`), and of their sections (`1.errors`). */
  const known = new Set(
    [...statements.keys()].flatMap((id) => [id, id.slice(0, id.lastIndexOf('.'))]),
  )

  /** The ids in `1.errors.2, 1.limits.4..5`. */
  const idsOfSection = (section: string) =>
    section.split(', ').flatMap((part) => {
      const [first = '', last] = part.split('..')
      if (last === undefined) return [first]
      return [first, `${first.slice(0, first.lastIndexOf('.'))}.${last}`]
    })

  // The fault catalogue lists what a deviating wallet breaks.
  const scenarios = (await loadScenarios()).filter(({ id }) => !id.includes('/deviating-wallet-'))
  const references = scenarios.flatMap(({ id, references }) =>
    references.map((reference) => ({ id, ...reference })),
  )
  const assumptions = readFileSync(join(repository, 'docs/assumptions.md'), 'utf8')

  it('name statements and sections of the profile', () => {
    const ofProfile = references.filter(({ document }) => document === 'Profile')
    expect(ofProfile.length).toBeGreaterThan(200)
    const wrong = ofProfile.filter(
      ({ section }) => !idsOfSection(section).every((id) => known.has(id)),
    )
    expect(wrong).toEqual([])
  })

  it('name existing assumptions', () => {
    const named = references.flatMap(({ document, section }) =>
      document === 'Assumptions' ? section.split(/, | to /) : [],
    )
    expect(named.length).toBeGreaterThan(100)
    expect(named.filter((each) => !/^A-\d\d$/.test(each) || !assumptions.includes(each))).toEqual(
      [],
    )
  })

  it('name existing headings of the documentation', () => {
    const ofPages = references.filter(({ document }) => document.endsWith('.md'))
    expect(ofPages.length).toBeGreaterThan(0)
    const wrong = ofPages.filter(({ document, section }) => {
      const page = join(repository, document)
      return (
        !existsSync(page) || !new RegExp(`^#+ ${section}$`, 'm').test(readFileSync(page, 'utf8'))
      )
    })
    expect(wrong).toEqual([])
  })

  it('name single states and errors, not their sections', () => {
    const tables = /^[12]\.(states-and-transitions|errors)$/
    expect(references.filter(({ section }) => tables.test(section))).toEqual([])
  })
})
