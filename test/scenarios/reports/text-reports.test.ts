import { spawnSync } from 'node:child_process'
import { mkdirSync, readdirSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { Browser } from 'puppeteer-core'
import { describe, expect, it } from 'vitest'
import type { Failure, Results, Verdict } from '#scenarios/harness/z-results.ts'
import { createAnnotations } from '#scenarios/reports/create-annotations.ts'
import {
  countChanges,
  createDifference,
  groupChanges,
  hasNewFailures,
} from '#scenarios/reports/create-difference.ts'
import { createJunit } from '#scenarios/reports/create-junit.ts'
import { createSummary } from '#scenarios/reports/create-summary.ts'
import {
  describeFailure,
  diffLines,
  formatDiff,
  listRefusals,
  locateFailure,
} from '#scenarios/reports/describe-failure.ts'
import { writeWhole } from '#scenarios/reports/write-reports.ts'
import { fc } from '#test/support/fast-check.ts'
import { openBrowser } from '#test/support/open-console.ts'
import {
  createCheckResult,
  createConformanceResults,
  createResults,
  createScenarioHop,
  createScenarioResult,
} from '#test/support/results.ts'
import { createTemporaryFolder } from '#test/support/temporary-folder.ts'
import { linearGrowth, measureGrowth } from '#test/support/timing.ts'

const browser = await openBrowser()

const results = createResults({
  scenarios: [
    createScenarioResult(),
    createScenarioResult({
      algorithm: 'EdDSA',
      verdict: 'failed',
      title: 'Quotes " and <tags> & \u0007 bells',
      failure: {
        expected: { status: 'issued' },
        actual: { status: 'pending' },
        code: 'expectation_failed',
        message: 'it is "]]>" & <b>\u0000</b>\nnot this',
        step: 'asks <somebody>',
        stack: 'Error\n    at x (file:///x/scenarios/suites/issuance/representative.ts:7:9)',
      },
    }),
    createScenarioResult({ suite: 'login', name: 'success', verdict: 'interrupted' }),
    createScenarioResult({
      suite: 'login',
      name: 'success',
      algorithm: 'EdDSA',
      verdict: 'not-run',
    }),
  ],
})

const readSuites = async (options = {}) =>
  (await readXml(browser, createJunit(results, options))).children

const casesOf = (suite: XmlElement | undefined) =>
  suite?.children.filter(({ name }) => name === 'testcase') ?? []

// junit-10.xsd of Jenkins' xUnit plugin: attributes and children of each element, * for required.
const schema: Readonly<Record<string, { attributes: string[]; children: string[] }>> = {
  testsuites: {
    attributes: ['name', 'time', 'tests', 'failures', 'errors'],
    children: ['testsuite'],
  },
  testsuite: {
    attributes: [
      ...['name*', 'tests*', 'failures*', 'errors*', 'group', 'time', 'skipped', 'timestamp'],
      ...['hostname', 'id', 'package', 'file', 'log', 'url'],
    ],
    children: ['testsuite', 'properties', 'testcase', 'system-out', 'system-err'],
  },
  properties: { attributes: [], children: ['property'] },
  property: { attributes: ['name*', 'value*'], children: [] },
  testcase: {
    // GitLab and the reporters of GitHub read a file and a line, which are not in the schema.
    attributes: ['name*', 'time', 'classname', 'group', 'file', 'line'],
    children: ['skipped', 'error', 'failure', 'system-out', 'system-err'],
  },
  failure: { attributes: ['type', 'message'], children: [] },
  skipped: { attributes: ['type', 'message'], children: [] },
  'system-out': { attributes: [], children: [] },
}

function findSchemaProblems({ name, attributes, children }: XmlElement): string[] {
  const rule = schema[name]
  if (rule === undefined) return [`${name} is not an element`]
  const known = rule.attributes.map((each) => each.replace('*', ''))
  const required = rule.attributes.filter((each) => each.endsWith('*'))
  return [
    ...Object.keys(attributes)
      .filter((each) => !known.includes(each))
      .map((each) => `${name} has ${each}`),
    ...required
      .filter((each) => !(each.replace('*', '') in attributes))
      .map((each) => `${name} lacks ${each}`),
    ...children
      .filter((child) => !rule.children.includes(child.name))
      .map((child) => `${name} holds ${child.name}`),
    ...children.flatMap(findSchemaProblems),
  ]
}

describe('createJunit', () => {
  it('conforms to the published schema', async () => {
    const root = await readXml(browser, createJunit({ ...results, pattern: '^x', seed: 'y' }))
    expect(findSchemaProblems(root)).toEqual([])
    const times = root.children.map(({ attributes }) => attributes.time)
    for (const time of times) expect(time).toMatch(/^\d+\.\d{3}$/)
  })

  it('lists in each suite what was run', async () => {
    const xml = createJunit({ ...results, pattern: '^x', shard: '1/2', seed: 's"' })
    for (const suite of (await readXml(browser, xml)).children) {
      const [properties] = suite.children
      expect(properties?.children.map(({ attributes }) => Object.values(attributes))).toEqual([
        ['environment', 'pre'],
        ['seed', 's"'],
        ['pattern', '^x'],
        ['shard', '1/2'],
      ])
    }
  })

  it('gives each case a unique name: GitLab drops duplicates', async () => {
    const suites = await readSuites()
    const names = suites.flatMap((suite) =>
      casesOf(suite).map(({ attributes }) => `${attributes.classname} ${attributes.name}`),
    )
    expect(new Set(names).size).toBe(names.length)
  })

  it('names images in the form that GitLab and Jenkins expect', async () => {
    const paths = ['reports/a-2.png', 'reports/a-1.png']
    const attachments = new Map([['issuance/representative/EdDSA', paths]])
    const [suite] = await readSuites({ attachments })
    const text = casesOf(suite)[1]?.children.find(({ name }) => name === 'system-out')?.text ?? ''
    // GitLab, lib/gitlab/ci/parsers/test/junit.rb: it shows the first one.
    expect(text.match(/\[\[ATTACHMENT\|(?<path>.+?)\]\]/)?.groups?.path).toBe(paths[0])
    // Jenkins: each on a separate line without other text.
    for (const path of paths) expect(text.split('\n')).toContain(`[[ATTACHMENT|${path}]]`)
    expect(createJunit(results)).not.toContain('ATTACHMENT')
  })

  it('names the file of a scenario, but not of a check: the repository under test has no such file', () => {
    expect(createJunit(results)).toContain(' file="scenarios/suites/')
    const scenarios = [createCheckResult()]
    expect(createJunit({ ...results, scenarios })).not.toContain(' file=')
  })

  it('is well-formed XML with consistent counts', async () => {
    const root = await readXml(browser, createJunit(results))
    expect(root).toMatchObject({
      name: 'testsuites',
      attributes: { tests: '4', failures: '1', errors: '0', time: '1.234' },
    })
    expect(
      root.children.map(({ name, attributes }) => [
        name,
        attributes.name,
        attributes.tests,
        attributes.failures,
        attributes.skipped,
      ]),
    ).toEqual([
      ['testsuite', 'scenarios.issuance', '2', '1', '0'],
      ['testsuite', 'scenarios.login', '2', '0', '2'],
    ])
    expect(root.children[0]?.attributes.timestamp).toBe('2026-11-21T10:00:00')
  })

  it('has a case for each scenario with the members that JUnit readers show', async () => {
    const [passed, failed] = casesOf((await readSuites())[0])
    expect(passed?.attributes).toMatchObject({
      classname: 'scenarios.issuance',
      name: 'representative (ES256K): A representative collects a credential',
      file: 'scenarios/suites/issuance/representative.ts',
      time: '0.250',
    })
    expect(passed?.children.map(({ name }) => name)).toEqual(['system-out'])
    expect(failed?.children.map(({ name }) => name)).toEqual(['failure', 'system-out'])
  })

  it('explains a failure with its step and the command that repeats it', async () => {
    const failed = casesOf((await readSuites())[0])[1]
    const failure = failed?.children[0]
    expect(failed?.attributes.name).toContain('Quotes " and <tags> & \uFFFD bells')
    expect(failure?.attributes.type).toBe('expectation_failed')
    expect(failure?.text).toContain('it is "]]>" & <b>\uFFFD</b>')
    expect(failure?.text).toContain('Step: asks <somebody>')
    expect(failure?.text).toContain('-   "status": "issued"\n+   "status": "pending"')
    expect(failed?.attributes).toMatchObject({
      file: 'scenarios/suites/issuance/representative.ts',
      line: '7',
    })
    expect(failure?.text).toContain("testbed run '^issuance/representative/EdDSA$'")
  })

  it('reports scenarios that did not finish as skipped', async () => {
    const cases = casesOf((await readSuites())[1])
    expect(cases.map(({ children }) => children[0]?.attributes.message)).toEqual([
      'interrupted',
      'not run',
    ])
  })
})

interface XmlElement {
  readonly name: string
  readonly attributes: Readonly<Record<string, string>>
  readonly text: string
  readonly children: readonly XmlElement[]
}

// Runs in the browser, whose types are not part of this program.
const reader = `(xml) => {
  const parsed = new DOMParser().parseFromString(xml, 'application/xml')
  const problem = parsed.querySelector('parsererror')
  if (problem) throw new Error(problem.textContent)
  const read = (node) => ({
    name: node.tagName,
    attributes: Object.fromEntries([...node.attributes].map(({ name, value }) => [name, value])),
    text: node.textContent,
    children: [...node.children].map(read),
  })
  return read(parsed.documentElement)
}`

/** Parses XML with a browser's parser; rejects if it is not well-formed. */
async function readXml(browser: Browser, xml: string): Promise<XmlElement> {
  const page = await browser.newPage()
  try {
    return (await page.evaluate(`(${reader})(${JSON.stringify(xml)})`)) as XmlElement
  } finally {
    await page.close()
  }
}

describe('createSummary', () => {
  it('counts, and lists every scenario in a separate row', () => {
    const scenarios = [
      createScenarioResult(),
      createScenarioResult({ algorithm: 'EdDSA', verdict: 'not-run', durationMilliseconds: 0 }),
    ]
    const summary = createSummary(createResults({ scenarios }))
    expect(summary.split('\n')[0]).toBe('# ✅ Scenarios: 1 passed, 0 failed, 1 skipped')
    expect(summary).toContain(
      '| ✅ | issuance/representative | ES256K | A representative collects a credential | 250 ms |',
    )
    expect(summary).not.toContain('## Failures')
  })

  it('explains failures with any characters', () => {
    const failed = createScenarioResult({
      verdict: 'failed',
      title: 'A | pipe <b>',
      failure: { code: 'x', message: 'a ```` fence', step: 'one *step*' },
    })
    const summary = createSummary(createResults({ scenarios: [failed] }))
    expect(summary).toContain('❌ Scenarios: 0 passed, 1 failed, 0 skipped')
    expect(summary).toContain('In the step **one \\*step\\***:')
    expect(summary).toContain('`````text\na ```` fence\n`````')
    expect(summary).toContain("`testbed run '^issuance/representative/ES256K$'`")
    expect(summary).toContain('| A \\| pipe \\<b\\> |')
  })

  it('reports that a run was interrupted, and its warnings', () => {
    const summary = createSummary(createResults({ interrupted: true, warnings: ['no hops'] }))
    expect(summary).toContain(', interrupted.')
    expect(summary).toContain('no hops')
  })
})

describe('a summary with a limit', () => {
  const scenarios = Array.from({ length: 400 }, (_, number) =>
    createScenarioResult({
      name: `scenario-${number}`,
      ...(number < 100 && {
        verdict: 'failed' as const,
        failure: { code: 'x', message: `é${'x'.repeat(500)}` },
      }),
    }),
  )
  const results = createResults({ scenarios })

  it.each([2000, 20_000, 70_000])('has at most %i bytes and reports what is missing', (limit) => {
    const summary = createSummary(results, { limit })
    expect(Buffer.byteLength(summary)).toBeLessThanOrEqual(limit)
    expect(summary).toContain('Truncated.')
    expect(summary).toMatch(/^# ❌ Scenarios: 300 passed, 100 failed/)
    // Cut between blocks: each fence that is opened is closed.
    expect((summary.match(/^```/gm) ?? []).length % 2).toBe(0)
  })

  it('is empty if there is no space for that', () => {
    expect(createSummary(results, { limit: 20 })).toBe('')
    expect(createSummary(results, { limit: -1 })).toBe('')
  })

  it('is complete if there is space', () => {
    const whole = createSummary(results)
    expect(createSummary(results, { limit: Buffer.byteLength(whole) })).toBe(whole)
    expect(whole).not.toContain('Truncated.')
    expect(whole).toContain('scenario-399')
  })
})

describe('a summary with an earlier run', () => {
  it('lists the changes, the urgent ones first', () => {
    const before = createResults({ startedAt: '2026-11-20T10:00:00.000Z' })
    const failed = createScenarioResult({
      verdict: 'failed',
      title: 'A | pipe',
      failure: { code: 'x', message: 'y' },
    })
    const after = createResults({ scenarios: [failed] })
    const summary = createSummary(after, { difference: createDifference(before, after) })
    expect(summary).toContain('## Since the run of 2026-11-20T10:00:00.000Z: 1 newly failing')
    expect(summary).toContain('- issuance/representative/ES256K: A \\| pipe')
  })
})

const failed = (failure: Partial<Failure> = {}, name = 'representative') =>
  createScenarioResult({
    name,
    verdict: 'failed',
    title: 'It fails: at 100 %, always',
    failure: { code: 'x', message: 'a\r\nb % c: d, e', ...failure },
  })
const stack = [
  'Error: x at scenarios/suites/not/this.ts:1:1 either',
  '    at fail (file:///home/x/scenarios/harness/expectations.ts:7:9)',
  '    at file:///home/x/scenarios/suites/issuance/representative.ts:47:7',
  '    at async Object.run (file:///home/x/scenarios/suites/issuance/representative.ts:12:3)',
].join('\n')

describe('createAnnotations', () => {
  // Escaping: actions/toolkit, packages/core/src/command.ts, escapeData and escapeProperty.
  it('are workflow commands, one per line, escaped as the toolkit does', () => {
    expect(createAnnotations({ scenarios: [failed({ stack, step: 'a step' })] })).toEqual([
      '::error file=scenarios/suites/issuance/representative.ts,line=47,col=7,' +
        'title=issuance/representative/ES256K%3A It fails%3A at 100 %25%2C always' +
        '::a%0D%0Ab %25 c: d, e%0AAt the step: a step' +
        "%0ARepeat: testbed run '^issuance/representative/ES256K$'",
    ])
  })

  it('cannot be ended or begun by the text of a failure', () => {
    const [line = ''] = createAnnotations({
      scenarios: [failed({ message: '::\n::set-env name=PATH::x', step: '\r::stop-commands::x' })],
    })
    expect(line).not.toMatch(/[\r\n]/)
    expect(line.startsWith('::error ')).toBe(true)
  })

  it('do not mention scenarios that passed or did not run', () => {
    const scenarios = [createScenarioResult(), createScenarioResult({ verdict: 'not-run' })]
    expect(createAnnotations({ scenarios })).toEqual([])
  })

  it('name the checks that are inconclusive for the same reason in one notice', () => {
    const undecided = (id: string, reason = 'No offer could be read.') =>
      createCheckResult({ verdict: 'inconclusive', check: { id, reason } })
    const scenarios = [undecided('I09'), undecided('I10'), undecided('I11', 'There is no clock.')]
    const lines = createAnnotations({ scenarios })
    expect(lines).toHaveLength(2)
    expect(lines[0]).toMatch(/INCONCLUSIVE I09.*%0AInconclusive for the same reason: I10%0A/)
    const summary = createSummary(createConformanceResults({ scenarios }))
    expect(summary).toContain('- **2 checks** (I09, I10): No offer could be read.\n')
    expect(summary).toMatch(/- \*\*I11\*\* .*: There is no clock\./)
  })

  it('quote a value that the reason does not', () => {
    const failure = { code: 'check_broken', message: 'No.', expected: [200], actual: 'sent' }
    const [line] = createAnnotations({
      scenarios: [createCheckResult({ verdict: 'failed', failure })],
    })
    expect(line).toContain('%0AExpected value: 200%0AFound value: sent%0A')
  })

  it('are at most ten, the limit of a step: the last one mentions the rest', () => {
    const scenarios = Array.from({ length: 14 }, (_, number) => failed({}, `scenario-${number}`))
    const lines = createAnnotations({ scenarios })
    expect(lines).toHaveLength(10)
    expect(lines.at(-1)).toContain('title=5 more failed')
    expect(lines.at(-1)).toContain('scenario-13')
    expect(createAnnotations({ scenarios: scenarios.slice(0, 10) }).at(-1)).toContain('scenario-9')
  })
})

describe('locateFailure', () => {
  it('finds the innermost place in a suite', () => {
    expect(locateFailure(failed({ stack }))).toEqual({
      file: 'scenarios/suites/issuance/representative.ts',
      line: 47,
      column: 7,
    })
  })

  it.each([
    ['own/greeting/kept.ts', 'file:///home/me/own/greeting/kept.ts'],
    ['../shared/greeting/kept.ts', 'file:///home/shared/greeting/kept.ts'],
    ['my tests/greeting/kept.ts', 'file:///home/me/my%20tests/greeting/kept.ts'],
    ['my tests/greeting/kept.ts', '/home/me/my tests/greeting/kept.ts'],
  ])('finds the place in %s of another project', (file, path) => {
    const ownStack = [
      'Error',
      '    at expectEqual (file:///a/dist/expectations.js:41:11)',
      `    at Object.run (${path}:12:7)`,
    ].join('\n')
    expect(locateFailure({ ...failed({ stack: ownStack }), file })).toEqual({
      ...{ file, line: 12, column: 7 },
    })
  })

  it('finds the place of a scenario without a file outside the package, or none', () => {
    const frames = [
      'Error: read file:///home/me/message.ts:1:1',
      `    at expectEqual (${pathToFileURL(resolve('scenarios/harness/expectations.ts'))}:41:11)`,
      '    at check (file:///home/me/node_modules/lear-testbed/dist/harness.js:9:1)',
    ]
    const locate = (lines: readonly string[]) => {
      const { file, ...result } = failed({ stack: lines.join('\n') })
      return locateFailure(result)
    }
    const own = join(process.cwd(), '../tests/mine.spec.mts')
    expect(locate(frames)).toEqual({})
    expect(locate([...frames, `    at async ${pathToFileURL(own)}:3:5`])).toEqual({
      ...{ file: '../tests/mine.spec.mts', line: 3, column: 5 },
    })
    const { file, ...unplaced } = failed({ stack: frames.join('\n') })
    expect(createJunit(createResults({ scenarios: [unplaced] }))).not.toContain(' file=')
    expect(createAnnotations({ scenarios: [unplaced] })[0]).toMatch(/^::error title=/)
  })

  it.each(['x', ' at (', 'a.ts:1', '\n '])('takes linear time if a message repeats %j', (part) => {
    const growth = measureGrowth(
      (size) => failed({ stack: `Error: ${part.repeat(size)}\n    at <anonymous>` }),
      locateFailure,
    )
    expect(growth).toBeLessThan(linearGrowth)
  })

  it('is the file of the scenario if the stack has no place', () => {
    const place = { file: 'scenarios/suites/issuance/representative.ts' }
    expect(locateFailure(failed())).toEqual(place)
    expect(locateFailure(failed({ stack: 'Error\n    at <anonymous>' }))).toEqual(place)
    const file = 'scenarios/suites/issuance/family.ts'
    expect(locateFailure({ ...failed(), file })).toEqual({ file })
  })
})

describe('describe failure', () => {
  const textOf = (lines: ReturnType<typeof diffLines>, left: 'expected' | 'found') =>
    lines.filter(({ kind }) => kind === left || kind === 'both').map(({ text }) => text)

  describe('diffLines', () => {
    it('contains both texts, and as many common lines as possible', () => {
      const lines = fc.array(fc.constantFrom('a', 'b', 'c', ''), { minLength: 1, maxLength: 12 })
      fc.assert(
        fc.property(lines, lines, (before, after) => {
          const difference = diffLines(before.join('\n'), after.join('\n'))
          expect(textOf(difference, 'expected')).toEqual(before)
          expect(textOf(difference, 'found')).toEqual(after)
          const isEqual = before.join('\n') === after.join('\n')
          expect(difference.every(({ kind }) => kind === 'both')).toBe(isEqual)
        }),
      )
    })

    it('marks as few lines as git does', () => {
      const folder = createTemporaryFolder()
      const [before, after] = ['a\nb\nc\nd\ne\nf', 'x\nb\nd\nc\ne\ng\nf']
      writeFileSync(join(folder, 'before'), `${before}\n`)
      writeFileSync(join(folder, 'after'), `${after}\n`)
      const args = ['diff', '--no-index', '--minimal', '--numstat', 'before', 'after']
      const { stdout } = spawnSync('git', args, { cwd: folder, encoding: 'utf8' })
      const [added, removed] = stdout.split('\t').map(Number)
      const kinds = diffLines(before, after).map(({ kind }) => kind)
      expect(kinds.filter((kind) => kind === 'found')).toHaveLength(added ?? -1)
      expect(kinds.filter((kind) => kind === 'expected')).toHaveLength(removed ?? -1)
    })

    it('lists very long texts one after the other', () => {
      const long = Array.from({ length: 600 }, (_, line) => `${line}`).join('\n')
      const difference = diffLines(long, `${long}\nmore`)
      expect(difference.filter(({ kind }) => kind === 'expected')).toHaveLength(600)
      expect(difference.filter(({ kind }) => kind === 'found')).toHaveLength(601)
    })
  })

  describe('describeFailure', () => {
    const failure = { code: 'expectation_failed', message: 'x' }

    it('shows values in readable form', () => {
      const lines = describeFailure({
        ...failure,
        expected: { a: 1, b: 2 },
        actual: { a: 1, b: 3 },
      })
      expect(formatDiff(lines ?? [])).toBe('  {\n    "a": 1,\n-   "b": 2\n+   "b": 3\n  }')
    })

    it('shows the actual value if there is no expected one', () => {
      expect(formatDiff(describeFailure({ ...failure, actual: 'text' }) ?? [])).toBe('+ text')
      expect(describeFailure(failure)).toBeUndefined()
    })

    it('shows several values that are allowed as one line', () => {
      const lines = describeFailure({ ...failure, expected: [400, 401], actual: 200 })
      expect(formatDiff(lines ?? [])).toBe('- 400 or 401\n+ 200')
    })
  })

  const step = (title: string, verdict: 'passed' | 'failed') => ({
    title,
    beganAt: 0,
    durationMilliseconds: 10,
    verdict,
  })
  const broken = (rule: string, reasons: string[]) => ({ rule, passed: false, reasons })

  const failed = createScenarioResult({
    verdict: 'failed',
    steps: [step('An invalid one is rejected', 'passed'), step('A valid one logs in', 'failed')],
    failure: {
      code: 'expectation_failed',
      message: 'It ended as FAILED',
      step: 'A valid one logs in',
    },
    hops: [
      createScenarioHop({ to: 'verifier', rules: [broken('presentation.expiry', ['it expired'])] }),
      createScenarioHop({
        step: 2,
        to: 'verifier',
        rules: [{ rule: 'trust.root', passed: true }, broken('credential.status', ['a | b', 'c'])],
      }),
    ],
  })

  describe('the rejection', () => {
    it('is shown only for the failed step, with rule and reasons', () => {
      expect(listRefusals(failed)).toEqual([
        'verifier rejected a request of wallet: credential.status, a | b, c',
      ])
    })

    it('is undefined if no step failed', () => {
      const steps = failed.steps.map((each) => ({ ...each, verdict: 'passed' as const }))
      expect(listRefusals({ ...failed, steps })).toEqual([])
    })

    it('is in the summary and in the text of the case', () => {
      const results = createResults({ scenarios: [failed] })
      expect(createSummary(results).split('\n')).toContain(
        'Rejected: verifier rejected a request of wallet: credential.status, a \\| b, c',
      )
      expect(createJunit(results).split('\n')).toContain(
        'Rejected: verifier rejected a request of wallet: credential.status, a | b, c',
      )
    })
  })
})

const scenario = (name: string, verdict: Verdict, durationMilliseconds = 1000) =>
  createScenarioResult({ name, verdict, durationMilliseconds })
const kindsOf = (before: Results, after: Results) =>
  createDifference(before, after).changes.map(({ kind, id }) => [kind, id.split('/')[1]])

describe('createDifference', () => {
  it.each<[Verdict, Verdict, string[]]>([
    ['passed', 'passed', []],
    ['passed', 'failed', ['newly-failing']],
    ['passed', 'interrupted', ['not-finished']],
    ['passed', 'not-run', ['not-finished']],
    ['failed', 'passed', ['fixed']],
    ['failed', 'failed', ['failing']],
    ['failed', 'not-run', ['not-finished']],
    ['not-run', 'passed', []],
    ['interrupted', 'failed', ['new']],
    ['not-run', 'not-run', []],
  ])('%s, then %s', (before, after, kinds) => {
    const [earlier, later] = [before, after].map((verdict) =>
      createResults({ scenarios: [scenario('one', verdict)] }),
    ) as [Results, Results]
    expect(kindsOf(earlier, later).map(([kind]) => kind)).toEqual(kinds)
    expect(hasNewFailures(createDifference(earlier, later))).toBe(
      before === 'passed' && after === 'failed',
    )
  })

  it('lists new and removed scenarios after the more urgent changes', () => {
    const before = createResults({
      scenarios: [scenario('b', 'passed'), scenario('gone', 'passed')],
    })
    const after = createResults({ scenarios: [scenario('new', 'failed'), scenario('b', 'failed')] })
    expect(kindsOf(before, after)).toEqual([
      ['newly-failing', 'b'],
      ['new', 'new'],
      ['gone', 'gone'],
    ])
    expect(countChanges(createDifference(before, after))).toBe('1 newly failing, 1 new, 1 gone')
  })

  it('lists only the first ones if many are new, and the number of the rest', () => {
    const scenarios = Array.from({ length: 25 }, (_, number) => scenario(`n-${number}`, 'passed'))
    const [group, ...others] = groupChanges(
      createDifference(createResults({ scenarios: [] }), createResults({ scenarios })),
    )
    expect(others).toEqual([])
    expect([group?.kind, group?.changes.length, group?.more]).toEqual(['new', 20, 5])
  })

  it('detects whether both runs had the same selection', () => {
    const before = createResults({ pattern: '^login/' })
    expect(createDifference(before, createResults()).isSameSelection).toBe(false)
    const all = createResults({ pattern: '', shard: '1/1' })
    expect(createDifference(all, createResults()).isSameSelection).toBe(true)
    expect(createDifference(before, createResults({ pattern: '^login/' })).isSameSelection).toBe(
      true,
    )
  })

  it('compares algorithms separately', () => {
    const before = createResults({ scenarios: [createScenarioResult({ algorithm: 'EdDSA' })] })
    expect(createDifference(before, createResults()).changes.map(({ kind }) => kind)).toEqual([
      'new',
      'gone',
    ])
  })
})

describe('slower', () => {
  const names = ['a', 'b', 'c', 'd', 'e', 'f', 'g']
  const run = (...durations: number[]) =>
    createResults({
      scenarios: durations.map((duration, index) =>
        scenario(names[index] ?? '', 'passed', duration),
      ),
    })
  const before = run(1000, 1000, 1000, 1000, 1000, 1000, 100)

  it('take more than twice as long, and at least half a second longer', () => {
    expect(kindsOf(before, run(2600, 1000, 1000, 1000, 1000, 1000, 100))).toEqual([['slower', 'a']])
  })

  it.each([
    ['nearly twice as long', run(1990, 1000, 1000, 1000, 1000, 1000, 100)],
    ['many times as long, but not by much', run(1000, 1000, 1000, 1000, 1000, 1000, 590)],
    ['everything on a busy machine', run(3000, 2900, 3100, 2800, 3000, 3300, 700)],
    ['times that vary anyway', run(4000, 1900, 600, 1400, 800, 2900, 150)],
    ['quicker', run(10, 10, 10, 10, 10, 10, 10)],
  ])('do not include: %s', (_, after) => {
    expect(kindsOf(before, after)).toEqual([])
  })

  it('are found among varying times if they vary more', () => {
    const after = run(20_000, 1900, 600, 1400, 800, 2900, 150)
    expect(kindsOf(before, after)).toEqual([['slower', 'a']])
  })

  it('are found on a busy machine too', () => {
    expect(kindsOf(before, run(9000, 2900, 3100, 2800, 3000, 3300, 300))).toEqual([['slower', 'a']])
  })

  it('are not excused by a machine that is otherwise faster', () => {
    expect(kindsOf(before, run(2600, 400, 400, 400, 400, 400, 40))).toEqual([['slower', 'a']])
  })

  it('name the step that took the time', () => {
    const step = (title: string, durationMilliseconds: number) => ({
      title,
      beganAt: 0,
      durationMilliseconds,
      verdict: 'passed' as const,
    })
    const of = (first: number, second: number) =>
      createResults({
        scenarios: [
          createScenarioResult({
            durationMilliseconds: first + second,
            steps: [step('first', first), step('second', second)],
          }),
        ],
      })
    expect(createDifference(of(500, 100), of(600, 2000)).changes).toMatchObject([
      { kind: 'slower', step: { title: 'second', milliseconds: 1900 } },
    ])
  })
})

it('leaves no unfinished file if a report cannot be written', async () => {
  const folder = createTemporaryFolder()
  // A file cannot replace a folder with content.
  mkdirSync(join(folder, 'index.html'))
  writeFileSync(join(folder, 'index.html', 'other'), '')
  await expect(writeWhole(join(folder, 'index.html'), '<p>')).rejects.toThrow()
  expect(readdirSync(folder)).toEqual(['index.html'])
})
